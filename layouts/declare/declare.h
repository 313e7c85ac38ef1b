/*
 * The declarations of the types that groups of records become.
 */
#ifndef COALESCE_LAYOUTS_DECLARE_DECLARE_H
#define COALESCE_LAYOUTS_DECLARE_DECLARE_H

#include "layouts/host/host.h"

/* Whether two groups that change have one type: they are the same, or instances of one class template in one layout. */
bool declare_is_shared(const struct group_plan *a, const struct group_plan *b);
/* Inserts the declaration of group g's type; of a family's, with its first group. hosts: one for each group. */
void declare_edit(struct rewriter *rewriter, const struct rehost_plan *hosts, unsigned g);

#endif
