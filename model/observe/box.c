/*
 * The box that a user's program runs in. A seccomp filter refuses new processes, sockets, and whatever reaches other
 * processes, mounts or owners of files; Landlock refuses to write outside the folder. Limits hold for processor time,
 * files, descriptors and core dumps. The parent watches memory and time.
 */
#include "model/observe/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DESCRIPTORS_MOST 1024
#define FILE_BYTES_MOST ((rlim_t)1 << 30)
#define STACK_BYTES ((rlim_t)64 << 20)
#define CLOSE_ON_START 4 /* CLOSE_RANGE_CLOEXEC */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* ---- system calls ------------------------------------------------------------------------ */

/* Refused with EPERM. */
static const unsigned short refused[] = {
#ifdef SYS_fork
	SYS_fork,
	SYS_vfork,
	SYS_mknod,
	SYS_chmod,
	SYS_chown,
	SYS_lchown,
	SYS_utime,
	SYS_utimes,
	SYS_futimesat,
#endif
	SYS_socket,
	SYS_ptrace,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_mount,
	SYS_umount2,
	SYS_unshare,
	SYS_setns,
	SYS_chroot,
	SYS_pivot_root,
	SYS_bpf,
	SYS_keyctl,
	SYS_add_key,
	SYS_request_key,
	SYS_perf_event_open,
	SYS_kexec_load,
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_reboot,
	SYS_swapon,
	SYS_swapoff,
	SYS_sethostname,
	SYS_setdomainname,
	SYS_settimeofday,
	SYS_clock_settime,
	SYS_mknodat,
	SYS_fchmod,
	SYS_fchmodat,
	SYS_fchown,
	SYS_fchownat,
	SYS_utimensat,
	SYS_setxattr,
	SYS_lsetxattr,
	SYS_fsetxattr,
	SYS_removexattr,
	SYS_shmget,
	SYS_semget,
	SYS_msgget,
	SYS_mq_open,
	SYS_tkill,
	SYS_open_by_handle_at,
	SYS_userfaultfd,
	SYS_acct,
	SYS_quotactl,
	SYS_syslog,
	SYS_setpriority,
	SYS_setsid,
	SYS_setpgid,
	SYS_sched_setscheduler,
#ifdef SYS_io_uring_setup
	SYS_io_uring_setup,
#endif
#ifdef SYS_pidfd_send_signal
	SYS_pidfd_send_signal,
	SYS_pidfd_open,
#endif
#ifdef SYS_fchmodat2
	SYS_fchmodat2,
#endif
};
/* Allowed where the first argument is the program itself. */
static const unsigned short own_only[] = {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo};

#define INSTRUCTIONS_MOST 400
struct filter {
	struct sock_filter list[INSTRUCTIONS_MOST];
	unsigned short count;
};

static void add(struct filter *filter, unsigned short code, uint32_t value, unsigned char if_true,
                unsigned char if_false)
{
	filter->list[filter->count++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(struct filter *filter, size_t offset)
{
	add(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(struct filter *filter, uint32_t action)
{
	add(filter, BPF_RET | BPF_K, action, 0, 0);
}

/* Refuses the call of that number unless its first argument has that value. Expects the number to be loaded, and leaves
 * it so. */
static void own_only_add(struct filter *filter, uint32_t number, uint32_t value)
{
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4);
	load(filter, offsetof(struct seccomp_data, args));
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
	answer(filter, SECCOMP_RET_ALLOW);
	answer(filter, SECCOMP_RET_ERRNO | EPERM);
}

/* Threads may be made, processes not. Of clone3() no filter sees the flags: libraries go on with clone(). */
static void clone_add(struct filter *filter)
{
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
	load(filter, offsetof(struct seccomp_data, args));
	add(filter, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
	answer(filter, SECCOMP_RET_ALLOW);
	answer(filter, SECCOMP_RET_ERRNO | EPERM);
#ifdef SYS_clone3
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
	answer(filter, SECCOMP_RET_ERRNO | ENOSYS);
#endif
}

static void filter_make(struct filter *filter, uint32_t self)
{
	filter->count = 0;
	load(filter, offsetof(struct seccomp_data, arch));
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
	answer(filter, SECCOMP_RET_ERRNO | ENOSYS);
	load(filter, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
	add(filter, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* the numbers of x32 */
	answer(filter, SECCOMP_RET_ERRNO | ENOSYS);
#endif
	for (size_t i = 0; i < ARRAY_COUNT(refused); i++) {
		add(filter, BPF_JMP | BPF_JEQ | BPF_K, refused[i], 0, 1);
		answer(filter, SECCOMP_RET_ERRNO | EPERM);
	}
	clone_add(filter);
	for (size_t i = 0; i < ARRAY_COUNT(own_only); i++)
		own_only_add(filter, own_only[i], self);
	own_only_add(filter, SYS_prlimit64, 0);
	answer(filter, SECCOMP_RET_ALLOW);
}

static bool calls_limit(void)
{
	struct filter filter;
	filter_make(&filter, (uint32_t)getpid());
	struct sock_fprog program = {filter.count, filter.list};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* As in linux/landlock.h, which old systems lack. */
struct ruleset_attribute {
	uint64_t handled;
};
struct path_attribute {
	uint64_t allowed;
	int32_t folder;
} __attribute__((packed));
#define LANDLOCK_CREATE 444
#define LANDLOCK_ADD 445
#define LANDLOCK_RESTRICT 446
#define LANDLOCK_BELOW_PATH 1
#define LANDLOCK_VERSION 1u
#define WRITE_FILE UINT64_C(2)
#define WRITES_FIRST UINT64_C(0x1ff2)  /* write, remove, make; of version 1 */
#define MOVE_FILE UINT64_C(0x2000)     /* of version 2 */
#define TRUNCATE_FILE UINT64_C(0x4000) /* of version 3 */

bool observe_box_keeps_files(void)
{
	return syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION) >= 1;
}

static bool path_allow(int rules, const char *path, uint64_t writes)
{
	int folder = open(path, O_PATH | O_CLOEXEC);
	struct path_attribute attribute = {writes, folder};
	bool allowed = folder >= 0 && syscall(LANDLOCK_ADD, rules, LANDLOCK_BELOW_PATH, &attribute, 0) == 0;
	if (folder >= 0)
		close(folder);
	return allowed;
}

static bool files_limit(const char *folder)
{
	long version = syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION);
	struct ruleset_attribute attribute = {WRITES_FIRST};
	if (version < 1)
		return true;
	if (version >= 2)
		attribute.handled |= MOVE_FILE;
	if (version >= 3)
		attribute.handled |= TRUNCATE_FILE;
	int rules = (int)syscall(LANDLOCK_CREATE, &attribute, sizeof attribute, 0);
	if (rules < 0 || !path_allow(rules, folder, attribute.handled) ||
	    !path_allow(rules, "/dev/null", WRITE_FILE | (attribute.handled & TRUNCATE_FILE)))
		return false;
	bool limited = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(LANDLOCK_RESTRICT, rules, 0) == 0;
	close(rules);
	return limited;
}

/* ---- the rest --------------------------------------------------------------------------------- */

static bool limit_set(int resource, rlim_t most)
{
	struct rlimit limit;
	if (getrlimit((__rlimit_resource_t)resource, &limit) != 0)
		return false;
	if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < most)
		most = limit.rlim_max;
	limit = (struct rlimit){most, most};
	return setrlimit((__rlimit_resource_t)resource, &limit) == 0;
}

bool observe_box_enter(const void *context)
{
	const struct observe_box *box = context;
#ifdef SYS_close_range
	syscall(SYS_close_range, 3u, ~0u, CLOSE_ON_START);
#endif
	return limit_set(RLIMIT_CORE, 0) && limit_set(RLIMIT_CPU, (rlim_t)box->seconds + 2) &&
	       limit_set(RLIMIT_FSIZE, FILE_BYTES_MOST) && limit_set(RLIMIT_NOFILE, DESCRIPTORS_MOST) &&
	       limit_set(RLIMIT_STACK, STACK_BYTES) && files_limit(box->folder) && calls_limit();
}
