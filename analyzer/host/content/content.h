/*
 * analyzer/host/content: what the host's code puts into integer members of records, where it says so plainly: in every
 * element the same number, the element's own number, a random one of a range, a running sum of such.
 *
 * That is told by types: what is said holds of a member in all records of that type, wherever they lie. So all of the
 * program's text counts: each place that sets the member must be one that is understood, and say the same. Anything
 * else that may set it spoils it: a kernel, braces, a file that is read into such records, memory that becomes one by a
 * cast. content.c has the members, scan.c looks through the text, cover.c asks whether a place reaches every element,
 * and form.c what it puts there, which is asked when the walk over the host comes by. Names begin with host_.
 */
#ifndef COALESCE_ANALYZER_HOST_CONTENT_CONTENT_H
#define COALESCE_ANALYZER_HOST_CONTENT_CONTENT_H

#include "analyzer/host/host.h"

/* What an expression is in element i. */
struct content_form {
	enum { FORM_UNKNOWN, FORM_UNIFORM, FORM_STEPPED } kind;
	int64_t low, high; /* UNIFORM: in [low, high); of a constant high is low + 1 */
	int64_t step;      /* STEPPED: i * step */
	bool is_sum;       /* STEPPED: on average, of numbers that are added up */
};

/* A place of the text that sets a member. */
struct content_setting {
	const struct node *node;                /* ASSIGN */
	const struct source_function *function; /* that it stands in */
	const struct node *loop, *outermost;    /* of the loops around it; NULL: none is */
	const struct source_declaration *index; /* the variable that numbers the element, alone; or NULL */
	bool covers;                            /* it is reached for every element, as far as its text says */
	bool is_walked, has_span;               /* by the walk over the host; first and last are known */
	int64_t first, last;                    /* element of those that it set, by `index` */
	struct content_form form;
};

struct content_member {
	const struct record *record;
	const struct leaf *leaf;
	bool is_spoiled, is_zeroed; /* is_zeroed: somewhere such records begin with zeros */
	struct content_setting *settings;
	unsigned setting_count;
};

struct host_contents {
	struct content_member *members;
	unsigned count;
	bool is_permuted; /* elements of some array change their places */
};

/* ---- content.c -------------------------------------------------------------------------- */

/* Finds the members of records that kernels get pointers to, and what sets them. Before the walk over the host. */
void host_contents_find(struct host *host);
/* The walk comes by an assignment. */
void host_content_set(struct host *host, const struct node *assignment);
/* Fills analysis->host_contents. Behind the walk. */
void host_contents_end(struct host *host);
/* The member that a node names, an object's or that behind a pointer; NULL where it is none of them. */
struct content_member *host_content_member(const struct host_contents *contents, const struct node *node);
/* All members of a record, and of those that lie in it, may hold something else. */
void host_content_spoil(struct host_contents *contents, const struct record *record);

/* ---- scan.c, cover.c, form.c ------------------------------------------------------------- */

/* Looks through a function for what sets members, or may. */
void host_content_scan(struct host *host, struct host_contents *contents, const struct source_function *function);
/* Fills index and covers of a place that is not reached on a branch alone; object: what the member is one of. */
void host_content_cover(struct content_setting *setting, const struct node *object);
/* How often a node changes a variable or member by one step up, and in other ways. */
void host_content_changes(const struct node *node, const struct source_declaration *variable, unsigned *steps,
                          unsigned *others);
struct content_form host_content_form(struct host *host, const struct content_setting *setting,
                                      const struct node *node);
bool host_content_same(const struct content_form *a, const struct content_form *b);

#endif
