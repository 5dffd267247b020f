/* Bytes put aside in a file without a name, to be mapped as a whole. Of this room only.
 */
#ifndef DEJANK_TRACE_ASIDE_H
#define DEJANK_TRACE_ASIDE_H

#include "trace/mapped.h"

struct dj_aside {
    int fd;
    uint64_t size, most; /* it takes no more than `most` */
};

/* In TMPDIR, else /tmp; in memory where neither can be written. DJ_E_IO. */
int dj_aside_open(struct dj_aside *aside, uint64_t most, struct dj_error *err);
/* DJ_E_INVALID: what is unfolded is more than `most`. */
int dj_aside_refuse(uint64_t most, struct dj_error *err);
/* DJ_E_IO; DJ_E_INVALID where it becomes too much. */
int dj_aside_put(struct dj_aside *aside, const void *bytes, size_t length,
                 struct dj_error *err);
/* Maps all of it; the mapping outlives the aside. */
int dj_aside_map(const struct dj_aside *aside, struct dj_mapped *mapped,
                 struct dj_error *err);
void dj_aside_close(struct dj_aside *aside);

#endif
