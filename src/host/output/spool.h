/* A result that is complete only at its end and may be larger than memory should hold:
 * beyond DJ_TEXT_SPOOL_HELD bytes it is kept in a file without a name. */
#ifndef DEJANK_OUTPUT_SPOOL_H
#define DEJANK_OUTPUT_SPOOL_H

#include "base/error.h"
#include "base/text.h"
#include "spill/spill.h"

enum { DJ_TEXT_SPOOL_HELD = 256 << 10 };

/* Zero it; `text` is appended to, by anyone. */
struct dj_output_spool {
    struct dj_text text;   /* what is not in the file yet */
    struct dj_spill spill; /* not open: all of it is in `text` */
    bool nowhere;          /* no file can be made */
};

/* Moves a text that has become too long to the file; call it after each piece. The text
 * stays in memory if no file can be created in $TMPDIR, /var/tmp or /tmp. DJ_E_OUTPUT. */
int dj_output_spool_settle(struct dj_output_spool *spool, struct dj_error *err);
/* Writes all of it: 0, or errno. */
int dj_output_spool_copy(struct dj_output_spool *spool, int to);
void dj_output_spool_finish(struct dj_output_spool *spool);

#endif
