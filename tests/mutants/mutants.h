/*
 * mutants: runs every command on inputs changed at random, and holds how it ends against the contract.
 *
 *   chance.c   random numbers from a seed
 *   words.c    changes of programs and other text
 *   json.c     changes of JSON that mostly stays JSON
 *   bytes.c    changes of binary files
 *   seeds.c    the commands of seeds.txt, which succeed with their inputs unchanged
 *   case.c     one command in a folder of its own, with changed inputs
 *   judge.c    what is wrong with the way in which a command ended
 *   near.c     what is done in this process, or once, where the program has a child for it or does it anew
 *   server.c   forks a process that runs many cases; a case that ends it is known by its seed
 *   main.c     options, rounds over the targets, counts
 */
#ifndef COALESCE_TESTS_MUTANTS_H
#define COALESCE_TESTS_MUTANTS_H

#include "base/base.h"

struct blob {
	char *data; /* terminated by a zero */
	size_t length;
};

/* ---- chance.c ------------------------------------------------------------------------------ */

/* Starts the one sequence of random numbers anew. */
void chance_begin(uint64_t seed);
/* Returns a number below bound, or 0 where bound is 0. */
unsigned chance_below(size_t bound);
/* How many changes a mutant gets: one to six, each half as often as the one before. */
unsigned chance_changes(void);
/* A number as text that readers of numbers may trip over. */
const char *chance_number(void);

/* ---- words.c, json.c, bytes.c -------------------------------------------------------------- */

/* Changes words of a text; `other` is a text to take pieces from. */
struct blob words_mutate(struct arena *arena, struct blob text, struct blob other);
/* Changes values, keys and members. */
struct blob json_mutate(struct arena *arena, struct blob text);
/* Changes bytes, numbers of two to eight bytes and ranges. */
struct blob bytes_mutate(struct arena *arena, struct blob data);

/* ---- seeds.c ------------------------------------------------------------------------------- */

/* A word of a command. FILE: `text` comes before the path of a copy. OUTPUT: a path that the command may write.
 * MUTABLE: the word itself may change. */
enum word_kind { WORD_PLAIN, WORD_FILE, WORD_OUTPUT, WORD_MUTABLE };
struct seed_word {
	enum word_kind kind;
	const char *text, *name; /* name: of the copy or the output in the case's folder */
	struct blob data;        /* of a file */
};
/* A command with its inputs. beside: files that lie beside the inputs, unchanged. */
struct seed {
	struct seed_word *words, *beside;
	unsigned word_count, beside_count;
};
/* Seeds that are counted together. compiles: with the toolkit of this machine. tried: which seeds succeeded unchanged,
 * in memory that processes share. */
struct target {
	const char *name;
	bool compiles;
	struct seed *seeds;
	unsigned seed_count;
	bool *tried;
};
/* Runs a command and returns what it prints, for inputs that are made; NULL where it fails (reported). */
typedef struct blob (*seed_maker)(struct arena *arena, int count, char **words);
/* Reads seeds.txt. Returns false, with the reason on stderr, where a line of it is wrong. */
bool seeds_read(struct arena *arena, const char *path, seed_maker make, struct target **targets, unsigned *count);

/* ---- case.c -------------------------------------------------------------------------------- */

#define CASE_WORDS_MOST 64
/* How a command ended. */
struct ending {
	int code;
	double seconds; /* of processor time, with children */
	struct blob out, said;
};
struct mutant {
	const struct seed *seed;
	char *words[CASE_WORDS_MOST + 1];
	int word_count;
	struct blob inputs[CASE_WORDS_MOST]; /* as written, by word */
};
/* Writes the inputs of a seed into the folder, changed by chance where `number` is not 0. */
struct mutant case_write(struct arena *arena, const struct target *target, const struct seed *seed, uint64_t number,
                         const char *folder);
/* Empties a folder. */
void folder_empty(const char *folder);

/* ---- judge.c ------------------------------------------------------------------------------- */

/* Returns why a command may not end like this, or NULL. */
const char *judge(struct arena *arena, const struct mutant *mutant, const struct ending *ending, const char *folder);

/* ---- near.c -------------------------------------------------------------------------------- */

/* Prepares what cases share. */
void near_begin(void);
/* Lets cases share it from now on, with libclang in this process; or be as the program is. */
void near_set(bool near);

/* ---- server.c ------------------------------------------------------------------------------ */

#define CODES_MOST 6
struct tally {
	uint64_t runs, wrong;
	uint64_t codes[CODES_MOST];
	double seconds, slowest;
};
struct server {
	const char *folder, *keep; /* of cases; for failing inputs, or NULL */
};
/* Runs the cases first to first + count - 1 of a target, and adds to its tally. Returns false where a seed does not
 * succeed unchanged (reported). */
bool server_run(const struct server *server, struct target *target, uint64_t first, unsigned count,
                struct tally *tally);
/* The maker for seeds_read(). */
struct blob server_make(struct arena *arena, int count, char **words);

#endif
