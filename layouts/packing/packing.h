/*
 * Whole records between the host, which keeps them as they were written, and device memory in another layout: one copy
 * of the records to memory of the device, and a kernel there that takes them apart; or one that puts them together, and
 * a copy back.
 *
 * The functions that do so are written into the file for each group, before the first place that can need them. Their
 * parameters stand as those of cudaMemcpy: where to, where from, how much.
 */
#ifndef COALESCE_LAYOUTS_PACKING_H
#define COALESCE_LAYOUTS_PACKING_H

#include "layouts/rewriter/rewriter.h"

struct packing;
/* What is needed to move records of a group; nothing is used yet. position: offset before which the functions will
 * stand. NULL: code outside the record cannot name its members. */
struct packing *packing_create(const struct rewriter *rewriter, const struct group_plan *plan, unsigned position);
/* Marks the function that copies records to the host (or to the device) as used; returns its name. */
const char *packing_use(struct packing *packing, bool to_host, bool is_async);
/* Inserts the definitions of those used. */
void packing_edit(struct rewriter *rewriter, const struct packing *packing);

#endif
