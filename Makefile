# coalesce: builds with GNU make, a C11 compiler, flex, bison, libclang 22 and jansson.
#
#   make                 the program, $(BUILD)/coalesce
#   make demo            installs what is missing, builds, ranks the layouts of benchmarks/idw.cu
#   make test            installs what is missing, builds, runs the whole test suite
#   make test-all        the same with those that take minutes
#   make unit            the unit tests alone
#   make sanitize        the whole suite under address, leak and undefined-behaviour sanitizers
#   make format          clang-format over our own C
#   make gate            no difference from clang-format, no warning from gcc, clang, clang-tidy or cppcheck; a short fuzz run
#   make fuzz            every fuzz target for FUZZ_SECONDS
#   make tsan            libcoalesce in threads, under ThreadSanitizer
#   make mutants         every command on inputs changed at random, for SECONDS= in JOBS= processes; SANITIZED=1, TARGET= and FIRST= as wanted
#   make bench           the scripts of tests/bench
#   make library         libcoalesce, shared and static, and its pkg-config file, in $(BUILD)/lib
#   make manual          manual pages and completion scripts, in $(BUILD)/manual
#   make install PREFIX= bin/coalesce, libcoalesce with header and pkg-config file, machine files, the calibration program, manual pages, completion, licence and docs
#   make dist            $(BUILD)/coalesce-VERSION.tar.gz: what git has at HEAD
#   make deb             $(BUILD)/coalesce_VERSION_ARCHITECTURE.deb, for the Debian release that this runs on
#   make sbom            $(BUILD)/coalesce.cdx.json: the table of NOTICE.md with versions
#   make wheel           $(BUILD)/coalesce_cuda-VERSION-*.whl for pip, with machine files and libclang
#   make V=1             shows the commands
#
# Everything built goes below $(BUILD); nothing generated lies in the source tree.

BUILD ?= build
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
JOBS ?= $(shell nproc 2>/dev/null || echo 1)
ifeq ($(origin CC),default)
CC = gcc
endif
FLEX ?= flex
BISON ?= bison
LLVM := $(shell llvm-config-22 --prefix 2>/dev/null || echo /usr/lib/llvm-22)

# ---- what there is, in the order of the pipeline ------------------------------------

FOLDERS := base ptxparse analyzer layouts model cli library
# A folder's rooms are its sub-folders, and theirs.
ROOMS := $(patsubst %/,%,$(sort $(wildcard $(FOLDERS:%=%/) $(FOLDERS:%=%/*/) $(FOLDERS:%=%/*/*/) $(FOLDERS:%=%/*/*/*/))))
# The stand-in for the CUDA runtime is compiled where a program is observed.
SOURCES := $(filter-out model/observe/runtime/%,$(sort $(wildcard $(ROOMS:%=%/*.c))))
PARSERS := $(sort $(wildcard $(ROOMS:%=%/*.y)))
LEXERS := $(sort $(wildcard $(ROOMS:%=%/*.l)))
GENERATED := $(PARSERS:%.y=$(BUILD)/%.c) $(LEXERS:%.l=$(BUILD)/%.c)
UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/unit/test_*.c)))
TEST_TOOLS := $(patsubst tests/tools/%.c,$(BUILD)/tests/tools/%,$(sort $(wildcard tests/tools/*.c)))
FUZZ_TARGETS := $(patsubst tests/fuzz/%.c,$(BUILD)/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
ARCHIVES := $(FOLDERS:%=$(BUILD)/lib%.a)
PROGRAM := $(BUILD)/coalesce

objects_of = $(patsubst %.c,$(BUILD)/%.o,$(filter $(1)/%,$(SOURCES))) \
             $(patsubst %.c,%.o,$(filter $(BUILD)/$(1)/%,$(GENERATED)))

# ---- flags ---------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wpointer-arith \
            -Wwrite-strings -Wimplicit-fallthrough -Wundef
# What the code that flex and bison write is not free of.
GENERATED_WARNINGS := -Wno-shadow -Wno-unused-function -Wno-unused-parameter -Wno-unused-but-set-variable \
                      -Wno-sign-compare -Wno-missing-prototypes -Wno-undef
OPTIMIZE ?= -O3 -g
# Against errors of memory that are left. Sanitizers find them themselves, and do without.
HARDEN ?= $(if $(findstring -fsanitize,$(EXTRA_CFLAGS)),,-fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
HARDEN_LINK ?= -Wl,-z,relro,-z,now,-z,noexecstack
# EXTRA_CFLAGS and EXTRA_LDFLAGS: -Werror, -fsanitize=...; give each combination a BUILD of its own.
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden $(OPTIMIZE) $(HARDEN) $(WARNINGS) -I. -I$(BUILD) -MMD -MP \
             $(CFLAGS) $(EXTRA_CFLAGS)
ALL_LDFLAGS = $(HARDEN_LINK) $(LDFLAGS) $(EXTRA_LDFLAGS)

CLANG_CFLAGS := -isystem $(LLVM)/include
CLANG_LIBS := -L$(LLVM)/lib -Wl,-rpath,$(LLVM)/lib -lclang-22
JANSSON_CFLAGS := $(shell pkg-config --cflags jansson 2>/dev/null)
JANSSON_LIBS := $(shell pkg-config --libs jansson 2>/dev/null || echo -ljansson)

# Where the program finds machines/ when there is none beside it: the source tree, or what `make install` fills.
DATA_DIR = $(if $(filter install,$(MAKECMDGOALS)),$(PREFIX)/share/coalesce,$(CURDIR))

# The toolkit's own occupancy calculator is a header.
CUDA_CFLAGS := $(patsubst %/bin/nvcc,-isystem %/include,$(realpath $(shell tools/setup --nvcc 2>/dev/null)))

CFLAGS_base := $(JANSSON_CFLAGS)
CFLAGS_ptxparse := $(JANSSON_CFLAGS)
CFLAGS_analyzer := $(CLANG_CFLAGS)
CFLAGS_model = $(JANSSON_CFLAGS) $(CUDA_CFLAGS) -DCOALESCE_DATA_DIR='"$(DATA_DIR)"'
CFLAGS_cli = $(CFLAGS_model)
CFLAGS_library = $(CFLAGS_model)

# The archives that code of a folder links with, users before the used, and their libraries.
LINK_base := base
LINK_ptxparse := ptxparse base
LINK_analyzer := analyzer base
LINK_layouts := layouts analyzer base
LINK_model := model layouts analyzer ptxparse base
LINK_cli := cli $(LINK_model)
LINK_library := library $(LINK_cli)
LIBS_base := $(JANSSON_LIBS) -lm
LIBS_ptxparse := $(JANSSON_LIBS) -lm
LIBS_analyzer := $(CLANG_LIBS) -lm
LIBS_layouts := $(CLANG_LIBS) -lm
LIBS_model := $(CLANG_LIBS) $(JANSSON_LIBS) -lm
LIBS_cli := $(LIBS_model)
LIBS_library := $(LIBS_cli)

# The folder of tests/unit/test_<folder>_<what>.c; model and cli tests may use everything but main().
unit_folder = $(word 2,$(subst _, ,$(notdir $(1))))
unit_links = $(if $(filter model,$(1)),cli,$(1))
# Tests of the evaluator link with the brute-force interpreter that it is held against.
ORACLE := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/ptx_interpreter/*.c)))
# The table of fixed latencies and what finds dependences, for its test and its tool.
LATENCY := $(BUILD)/tests/tools/latency/latency.o
unit_support = $(if $(filter test_model_evaluate% test_model_cpu%,$(notdir $(1))),$(ORACLE)) \
               $(if $(filter test_ptxparse_latency,$(notdir $(1))),$(LATENCY))

# ---- targets -------------------------------------------------------------------------

.PHONY: dist stage deb wheel sbom tsan manual library all archives unit-programs fuzz-programs demo test unit sanitize format gate tidy fuzz mutants bench install clean force
.DELETE_ON_ERROR:
.SUFFIXES:

all: $(ARCHIVES) $(if $(wildcard cli/main.c),$(PROGRAM))

archives: $(ARCHIVES)

MUTANTS_PROGRAM := $(BUILD)/tests/tools/mutants
unit-programs: $(UNIT_TESTS) $(TEST_TOOLS) $(MUTANTS_PROGRAM)

fuzz-programs: $(FUZZ_TARGETS)

# A second make after tools/setup sees what it installed.
SUBMAKE = $(MAKE) --no-print-directory $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(JOBS))

demo:
	@tools/setup
	@$(SUBMAKE) all
	$(PROGRAM) predict benchmarks/idw.cu
	$(PROGRAM) compare benchmarks/idw.cu --measured benchmarks/measured/nvidia-h200.json --case idw-16k -q

test:
	@tools/setup
	@$(SUBMAKE) all unit-programs
	@tests/run --build $(BUILD)

test-all:
	@tools/setup
	@$(SUBMAKE) all unit-programs
	@tests/run --build $(BUILD) --slow

unit: unit-programs
	@tests/run --build $(BUILD) unit

SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
sanitize:
	@tools/setup
	@$(SUBMAKE) BUILD=$(BUILD)/sanitize OPTIMIZE='-O1 -g' EXTRA_CFLAGS='$(SANITIZERS)' EXTRA_LDFLAGS='$(SANITIZERS)' \
		all unit-programs
	@ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 tests/run --build $(BUILD)/sanitize

# libcoalesce in threads that fork, under ThreadSanitizer.
TSAN := -fsanitize=thread -fno-omit-frame-pointer
tsan:
	@$(SUBMAKE) BUILD=$(BUILD)/tsan OPTIMIZE='-O1 -g' EXTRA_CFLAGS='$(TSAN)' EXTRA_LDFLAGS='$(TSAN)' library
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(TSAN) -Ilibrary -o $(BUILD)/tsan/threads tests/inputs/library/threads.c \
		-L$(BUILD)/tsan/lib -lcoalesce -Wl,-rpath,$(abspath $(BUILD)/tsan/lib) -lm
	TSAN_OPTIONS='halt_on_error=1 suppressions=tests/inputs/library/tsan.supp' \
		$(BUILD)/tsan/threads benchmarks/idw.cu benchmarks/corr.cu >$(BUILD)/tsan/answers.json
	@echo 'no data race'

# Our own C, but for the inputs of tests.
FORMATTED = $(shell git ls-files '*.c' '*.h' | grep -vE '^tests/(golden|errors)/')
format:
	@clang-format -i $(FORMATTED)

gate:
	@if command -v clang-format >/dev/null; then echo 'clang-format: $(words $(FORMATTED)) files'; \
		clang-format --dry-run -Werror $(FORMATTED); else echo 'clang-format: not installed, skipped'; fi
	@$(SUBMAKE) BUILD=$(BUILD)/gate-gcc CC=gcc EXTRA_CFLAGS=-Werror all unit-programs
	@$(SUBMAKE) BUILD=$(BUILD)/gate-clang CC=clang EXTRA_CFLAGS=-Werror all unit-programs
	@$(SUBMAKE) BUILD=$(BUILD)/gate-clang tidy
	@$(SUBMAKE) fuzz FUZZ_SECONDS=20

# clang-tidy and cppcheck, each where it is installed; .clang-tidy says which checks. What values and pointers may be is left to
# clang's analyzer, which follows calls; and cppcheck does not see what jansson's loops are.
CPPCHECK_FLAGS := --quiet --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,performance,portability \
	--suppress=missingIncludeSystem --suppress=uninitvar --suppress=returnDanglingLifetime --suppress=unknownEvaluationOrder \
	--suppress=unknownMacro -D_GNU_SOURCE -D__GNUC__ '-DCOALESCE_DATA_DIR=""'
tidy:
	@if command -v clang-tidy >/dev/null; then \
		echo 'clang-tidy: $(words $(SOURCES)) files'; \
		printf '%s\n' $(SOURCES) | xargs -P $(JOBS) -n 1 sh -c 'clang-tidy --quiet --warnings-as-errors="*" "$$@" -- \
			-std=c11 -D_GNU_SOURCE -I. -I$(BUILD) $(CLANG_CFLAGS) $(JANSSON_CFLAGS) -DCOALESCE_DATA_DIR=\"\"' tidy; \
	else echo 'clang-tidy: not installed, skipped'; fi
	@if command -v cppcheck >/dev/null; then \
		echo 'cppcheck: $(FOLDERS)'; \
		cppcheck $(CPPCHECK_FLAGS) -j $(JOBS) -I. $(FOLDERS); \
	else echo 'cppcheck: not installed, skipped'; fi

FUZZERS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
fuzz:
	@$(SUBMAKE) BUILD=$(BUILD)/fuzz CC=clang OPTIMIZE='-O1 -g' EXTRA_CFLAGS='$(FUZZERS) -fsanitize=fuzzer-no-link' \
		EXTRA_LDFLAGS='$(FUZZERS)' fuzz-programs
	@for target in $(FUZZ_TARGETS:$(BUILD)/%=%); do \
		what=$${target#fuzz_}; corpus=$(BUILD)/fuzz/corpus/$$what; mkdir -p $$corpus; \
		echo "fuzz $$what: $(FUZZ_SECONDS) s"; \
		$(BUILD)/fuzz/$$target -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
			-print_final_stats=1 -artifact_prefix=$(BUILD)/fuzz/$$what- $$corpus \
			$$(ls -d tests/fuzz/corpus/$$what 2>/dev/null) || exit 1; \
	done

SECONDS ?= 60
MUTANTS_OPTIONS = --seconds $(SECONDS) --jobs $(JOBS) $(if $(TARGET),--target $(TARGET)) $(if $(FIRST),--first $(FIRST)) \
	$(if $(shell tools/setup --nvcc 2>/dev/null),--compilers yes) tests/mutants/seeds.txt
mutants:
ifdef SANITIZED
	@$(SUBMAKE) BUILD=$(BUILD)/sanitize OPTIMIZE='-O1 -g' EXTRA_CFLAGS='$(SANITIZERS)' EXTRA_LDFLAGS='$(SANITIZERS)' \
		$(BUILD)/sanitize/tests/tools/mutants
	@ASAN_OPTIONS=malloc_context_size=8:quarantine_size_mb=32 UBSAN_OPTIONS=print_stacktrace=1 \
		LSAN_OPTIONS=suppressions=tests/mutants/leaks.supp:print_suppressions=0 \
		$(BUILD)/sanitize/tests/tools/mutants $(MUTANTS_OPTIONS)
else
	@$(SUBMAKE) $(MUTANTS_PROGRAM)
	@$(MUTANTS_PROGRAM) $(MUTANTS_OPTIONS)
endif

bench: all
	@for script in $(sort $(wildcard tests/bench/*.sh tests/bench/*.py)); do \
		echo "$$script"; "$$script" $(PROGRAM) || exit 1; done

# What `coalesce help` knows, for man and for shells.
COMMANDS = $(shell $(PROGRAM) help | sed -n 's/^coalesce \([a-z]*\) .*/\1/p')
manual: all
	@mkdir -p $(BUILD)/manual
	$(Q)$(PROGRAM) help --man >$(BUILD)/manual/coalesce.1
	$(Q)for name in $(COMMANDS); do $(PROGRAM) help --man $$name >$(BUILD)/manual/coalesce-$$name.1 || exit 1; done
	$(Q)for shell in bash zsh fish; do $(PROGRAM) completion $$shell >$(BUILD)/manual/coalesce.$$shell || exit 1; done

SHARE = $(DESTDIR)$(PREFIX)/share
LIB = $(DESTDIR)$(PREFIX)/lib
install: all manual library
	install -d $(DESTDIR)$(PREFIX)/bin $(LIB) $(SHARE)/coalesce/machines $(SHARE)/coalesce/calibrate $(SHARE)/man/man1
	install -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/coalesce
	install -m 644 $(sort $(wildcard machines/*.json)) $(SHARE)/coalesce/machines
	install -m 644 $(sort $(wildcard benchmarks/calibrate/*)) $(SHARE)/coalesce/calibrate
	install -m 644 $(BUILD)/manual/*.1 $(SHARE)/man/man1
	install -m 644 $(LIBRARY).so.$(API) $(LIBRARY).a $(LIB)
	ln -sf libcoalesce.so.$(API) $(LIB)/libcoalesce.so
	install -D -m 644 $(BUILD)/lib/pkgconfig/coalesce.pc $(LIB)/pkgconfig/coalesce.pc
	install -D -m 644 library/coalesce.h $(DESTDIR)$(PREFIX)/include/coalesce.h
	install -D -m 644 $(BUILD)/manual/coalesce.bash $(SHARE)/bash-completion/completions/coalesce
	install -D -m 644 $(BUILD)/manual/coalesce.zsh $(SHARE)/zsh/site-functions/_coalesce
	install -D -m 644 $(BUILD)/manual/coalesce.fish $(SHARE)/fish/vendor_completions.d/coalesce.fish
	install -d $(SHARE)/doc/coalesce
	install -m 644 LICENSE NOTICE NOTICE.md CHANGELOG.md README.md $(sort $(wildcard docs/*.md)) $(SHARE)/doc/coalesce

# ---- packages: all of what is in git at HEAD or installed below /usr; the same commit gives the same bytes ----

dist:
	@mkdir -p $(BUILD)
	$(Q)git archive --format=tar --prefix=coalesce-$(VERSION)/ HEAD | gzip -9 -n >$(BUILD)/coalesce-$(VERSION).tar.gz
	@echo $(BUILD)/coalesce-$(VERSION).tar.gz

STAGE := $(BUILD)/stage
stage:
	@rm -rf $(STAGE)/files
	@$(SUBMAKE) BUILD=$(STAGE) PREFIX=/usr DESTDIR=$(abspath $(STAGE)/files) OPTIMIZE='-O2' install >/dev/null

deb: stage
	@tools/deb $(STAGE)/files $(VERSION) $(BUILD)

# The program looks for its libraries beside itself, and so do these for each other.
wheel: stage
	$(Q)$(CC) $(ALL_LDFLAGS) -s -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib' -o $(STAGE)/coalesce-wheel \
		$(STAGE)/cli/main.o $(LINK_cli:%=$(STAGE)/lib%.a) -L$(LLVM)/lib -lclang-22 $(JANSSON_LIBS) -lm
	@tools/wheel $(STAGE)/coalesce-wheel $(STAGE)/files/usr/share/coalesce $(LLVM) $(VERSION) $(BUILD)

# What the program is made with, as CycloneDX.
sbom:
	@mkdir -p $(BUILD)
	$(Q)LLVM=$(LLVM) tools/sbom $(VERSION) >$(BUILD)/coalesce.cdx.json
	@echo $(BUILD)/coalesce.cdx.json

clean:
	rm -rf $(BUILD)

# ---- rules ---------------------------------------------------------------------------

# A short line for each command; V=1 shows the commands.
Q := $(if $(V),,@)
SAY = $(if $(V),@:,@printf '%-6s %s\n')

$(PROGRAM): $(BUILD)/cli/main.o $(LINK_cli:%=$(BUILD)/lib%.a)
	$(SAY) LINK $@
	$(Q)$(CC) -pie $(ALL_LDFLAGS) -o $@ $^ $(LIBS_cli)

# libcoalesce: of all archives what the exported functions need, and no other name. Its number is that of coalesce.h.
API := $(shell sed -n 's/^\#define COALESCE_API \([0-9]*\)$$/\1/p' library/coalesce.h)
VERSION := $(shell sed -n 's/^\#define COALESCE_VERSION "\(.*\)"$$/\1/p' cli/say/say.h)
LIBRARY := $(BUILD)/lib/libcoalesce
LIBRARY_OBJECTS = $(call objects_of,library) $(LINK_cli:%=$(BUILD)/lib%.a)
library: $(LIBRARY).so.$(API) $(LIBRARY).so $(LIBRARY).a $(BUILD)/lib/pkgconfig/coalesce.pc $(BUILD)/include/coalesce.h

$(LIBRARY).so.$(API): $(LIBRARY_OBJECTS) library/coalesce.map
	@mkdir -p $(@D)
	$(SAY) LINK $@
	$(Q)$(CC) -shared $(ALL_LDFLAGS) -Wl,-soname,$(@F) -Wl,--version-script=library/coalesce.map -Wl,-z,defs \
		-o $@ $(filter %.o %.a,$^) $(LIBS_library)

$(LIBRARY).so: $(LIBRARY).so.$(API)
	$(Q)ln -sf $(<F) $@

$(LIBRARY).a: $(LIBRARY_OBJECTS) library/coalesce.map
	@mkdir -p $(@D)
	$(SAY) LINK $@
	$(Q)$(CC) -r -nostdlib -o $(@:.a=.o) $(filter %.o %.a,$^)
	$(Q)sed -n 's/^\t\(coalesce_[a-z_]*\);$$/\1/p' library/coalesce.map >$(@:.a=.names)
	$(Q)objcopy --keep-global-symbols=$(@:.a=.names) $(@:.a=.o)
	$(Q)rm -f $@ && ar rcsD $@ $(@:.a=.o)

$(BUILD)/include/coalesce.h: library/coalesce.h
	@mkdir -p $(@D)
	$(Q)cp $< $@

# Its folders are relative to where the file lies.
$(BUILD)/lib/pkgconfig/coalesce.pc: library/coalesce.pc.in cli/say/say.h Makefile
	@mkdir -p $(@D)
	$(Q)sed -e 's|@VERSION@|$(VERSION)|' -e 's|@CLANG@|$(CLANG_LIBS)|' $< >$@

# A folder's own time changes when a file in it comes or goes, and its archive is made anew.
define archive_rule
$(BUILD)/lib$(1).a: $(filter-out $(BUILD)/cli/main.o,$(call objects_of,$(1))) $(filter $(1) $(1)/%,$(ROOMS))
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(Q)ar rcs $$@ $$(filter %.o,$$^)
endef
$(foreach folder,$(FOLDERS),$(eval $(call archive_rule,$(folder))))

$(SOURCES:%.c=$(BUILD)/%.o): $(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(ALL_CFLAGS) $(CFLAGS_$(firstword $(subst /, ,$*))) -c -o $@ $<

$(GENERATED:%.c=%.o): %.o: %.c Makefile
	$(SAY) CC $@
	$(Q)$(CC) $(ALL_CFLAGS) $(GENERATED_WARNINGS) -c -o $@ $<

$(PARSERS:%.y=$(BUILD)/%.c): $(BUILD)/%.c: %.y
	@mkdir -p $(@D)
	$(SAY) BISON $<
	$(Q)$(BISON) -Wall -Wno-yacc --defines=$(@:.c=.h) -o $@ $<

$(LEXERS:%.l=$(BUILD)/%.c): $(BUILD)/%.c: %.l
	@mkdir -p $(@D)
	$(SAY) FLEX $<
	$(Q)$(FLEX) --header-file=$(@:.c=.h) -o $@ $<

# A generated header appears together with its .c file.
$(GENERATED:.c=.h): %.h: %.c ;

$(call objects_of,ptxparse): | $(GENERATED:.c=.h)

# The common parts of measuring programs, and the style of pages, as string literals.
BUNDLE_PARTS := $(sort $(wildcard model/bundle_*.cu model/*/bundle_*.cu))
PAGE_STYLE := cli/report/html/style.css
CPU_PARTS := model/cpu/functions.def $(sort $(wildcard model/cpu/support/*.h))
OBSERVE_PARTS := model/cpu/support/support.h model/observe/copies.h model/observe/fatbin.h model/observe/shapes.h $(sort $(wildcard model/observe/runtime/*.c model/observe/runtime/*.h model/observe/runtime/*.def))
$(BUNDLE_PARTS:%.cu=$(BUILD)/%.inc): $(BUILD)/%.inc: %.cu
$(PAGE_STYLE:%.css=$(BUILD)/%.inc): $(BUILD)/%.inc: %.css
$(BUILD)/cli/report/glossary.inc: docs/glossary.md
$(BUNDLE_PARTS:%.cu=$(BUILD)/%.inc) $(PAGE_STYLE:%.css=$(BUILD)/%.inc) $(BUILD)/cli/report/glossary.inc:
	@mkdir -p $(@D)
	$(Q)sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^.*$$/"&\\n",/' $< >$@
$(filter %/bundle.o,$(SOURCES:%.c=$(BUILD)/%.o)): $(BUNDLE_PARTS:%.cu=$(BUILD)/%.inc)
# The stand-in for the CUDA runtime, and what translated kernels include, file by file.
$(BUILD)/model/observe/runtime.inc: $(OBSERVE_PARTS)
$(BUILD)/model/cpu/support.inc: $(CPU_PARTS)
$(BUILD)/model/observe/runtime.inc $(BUILD)/model/cpu/support.inc:
	@mkdir -p $(@D)
	$(Q)for part in $^; do printf '{"%s", (const char *const[]){\n' "$$part"; \
		sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^.*$$/"&\\n",/' $$part; printf 'NULL}},\n'; done >$@
$(BUILD)/model/observe/standin.o: $(BUILD)/model/observe/runtime.inc
$(BUILD)/model/cpu/build.o: $(BUILD)/model/cpu/support.inc
$(BUILD)/cli/report/html/page.o: $(PAGE_STYLE:%.css=$(BUILD)/%.inc)
$(BUILD)/cli/report/glossary.o: $(BUILD)/cli/report/glossary.inc

# Rewritten only when DATA_DIR changes; then what contains it is compiled again.
$(filter $(BUILD)/model/% $(BUILD)/cli/%,$(SOURCES:%.c=$(BUILD)/%.o)): $(BUILD)/data-dir
$(BUILD)/data-dir: force
	@mkdir -p $(@D)
	@echo '$(DATA_DIR)' | cmp -s - $@ || echo '$(DATA_DIR)' >$@

$(ORACLE) $(LATENCY): $(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

define unit_rule
$(1): tests/unit/$(notdir $(1)).c $$(call unit_support,$(1)) $$(LINK_$(2):%=$(BUILD)/lib%.a) Makefile
	@mkdir -p $$(@D)
	$$(SAY) TEST $$@
	$$(Q)$$(CC) $$(ALL_CFLAGS) $$(CFLAGS_$(2)) -MF $$@.d $$(ALL_LDFLAGS) -o $$@ $$(filter %.c %.o %.a,$$^) -lcmocka $$(LIBS_$(2))
endef
$(foreach test,$(UNIT_TESTS),$(eval $(call unit_rule,$(test),$(call unit_links,$(call unit_folder,$(test))))))

# Programs that golden tests run; they may use everything but main().
$(BUILD)/tests/tools/sass_latency: $(LATENCY)
$(TEST_TOOLS): $(BUILD)/%: %.c $(LINK_cli:%=$(BUILD)/lib%.a) Makefile
	@mkdir -p $(@D)
	$(SAY) TOOL $@
	$(Q)$(CC) $(ALL_CFLAGS) $(CFLAGS_cli) -MF $@.d $(ALL_LDFLAGS) -o $@ $(filter %.c %.o %.a,$^) $(LIBS_cli)

# Its main() is another; the program's is called for each mutant.
$(MUTANTS_PROGRAM): $(sort $(wildcard tests/mutants/*.c)) cli/main.c $(LINK_cli:%=$(BUILD)/lib%.a) tests/mutants/mutants.h Makefile
	@mkdir -p $(@D)
	$(SAY) TOOL $@
	$(Q)$(CC) $(ALL_CFLAGS) $(CFLAGS_cli) -Dmain=coalesce_main -Wno-missing-prototypes -c -o $@.main.o cli/main.c
	$(Q)$(CC) $(ALL_CFLAGS) $(CFLAGS_cli) -MF $@.d $(ALL_LDFLAGS) -Wl,--wrap=analyze_file,--wrap=machine_load -o $@ $@.main.o $(filter tests/%.c %.a,$^) $(LIBS_cli)

# Fuzz targets may use everything but main().
$(FUZZ_TARGETS): $(BUILD)/%: tests/fuzz/%.c $(LINK_cli:%=$(BUILD)/lib%.a)
	@mkdir -p $(@D)
	$(SAY) FUZZ $@
	$(Q)$(CC) $(ALL_CFLAGS) -MF $@.d $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $(filter %.c %.a,$^) $(LIBS_cli)

-include $(wildcard $(ROOMS:%=$(BUILD)/%/*.d) $(BUILD)/*.d $(BUILD)/tests/*.d $(BUILD)/tests/*/*.d $(BUILD)/tests/*/*/*.d)
