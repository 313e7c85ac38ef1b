/*
 * Arrays that the members of a record passed by value point to (`g.rho[i]`, a group with a holder): in a new layout the
 * holder gets one pointer to records in their stead, and every mention of one of its members changes with it,
 * `g.records[i].rho`. How holders are passed on, copied and swapped stays as it is.
 *
 *   mentions.c  may every mention in device code be rewritten? It is done as a whole or not at all
 *   fields.c    what a mention names, and where it stands
 *   uses.c      what host code does with a member: allocate, copy, set, free
 *   host.c      may all of that be rewritten, and the edits that do it
 *   edits.c     the edits of the holder's declaration and of elements
 */
#ifndef COALESCE_LAYOUTS_POINTERS_H
#define COALESCE_LAYOUTS_POINTERS_H

#include "layouts/host/host.h"
#include "layouts/rewriter/rewriter.h"

/* Decides for each group with a holder that changes whether device code can follow: else it is refused (reported).
 * Requires the group plans. */
void pointers_plan(struct rewriter *rewriter);
/* Adds the edits of a group with a holder, whose plan is in `host`; returns whether the host side could follow
 * (reported where not). */
bool pointers_edit(struct rewriter *rewriter, struct rehost_plan *host, struct rehost_helpers *helpers);

#endif
