/*
 * ptxparse/text: PTX text as a module, read by flex and bison. What the files of the parser share stands in reader.h.
 */
#ifndef COALESCE_PTXPARSE_TEXT_TEXT_H
#define COALESCE_PTXPARSE_TEXT_TEXT_H

#include "ptxparse/code/code.h"

/*
 * Parses the text of a PTX file. path names it in diagnostics only. Everything lives in arena. Returns NULL when the
 * text is not PTX or is cut off (an error with its line was reported); an unknown instruction or directive is kept
 * opaque with one warning for its line.
 */
struct ptx_module *ptx_parse(struct arena *arena, const char *path, const char *text, size_t length,
                             struct diagnostics *diagnostics);

#endif
