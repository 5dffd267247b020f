/* A result that must be complete before it is written, and may be too large for memory.
 * Data beyond DJ_OUTPUT_SPOOL_MEMORY_BYTES bytes moves to a temporary file without a
 * name. */
#ifndef DEJANK_OUTPUT_SPOOL_H
#define DEJANK_OUTPUT_SPOOL_H

#include "base/error.h"
#include "base/text.h"
#include "spill/spill.h"

enum { DJ_OUTPUT_SPOOL_MEMORY_BYTES = 256 << 10 };

/* A result of any size. Set it to zero before use. The caller appends the result to
 * `text`. */
struct dj_output_spool {
    struct dj_text text;   /* The end of the result, which is not in the file yet. */
    struct dj_spill spill; /* The file. Not open while all of the result is in `text`. */
    /* True if no temporary file could be created. All of the result then stays in
     * `text`. */
    bool has_no_file;
};

/* Moves the text to the file if it is longer than DJ_OUTPUT_SPOOL_MEMORY_BYTES. The
 * caller calls this regularly while it appends. If no file can be created in $TMPDIR,
 * /var/tmp or /tmp, the text stays in memory. Returns 0, or DJ_E_OUTPUT if the file
 * cannot be written. */
int dj_output_spool_flush(struct dj_output_spool *spool, struct dj_error *err);
/* Writes the whole result to the descriptor `to`. Returns 0 or errno. */
int dj_output_spool_copy(struct dj_output_spool *spool, int to);
void dj_output_spool_finish(struct dj_output_spool *spool);

#endif
