/* The file under a segment's writer: made, mapped, and reserved piece by piece. Of this
 * room only. */
#ifndef DEJANK_SEGMENT_WRITER_FILE_H
#define DEJANK_SEGMENT_WRITER_FILE_H

#include <sys/types.h>

#include "segment/writer.h"

/* Reserves bytes of the mapped file, found again by its path: a descriptor kept open
 * could be closed by the app and be another file by now. 0, or an errno. */
int dj_segment_reserve(const struct dj_segment_writer *writer, off_t offset,
                       size_t bytes);

/* What an errno means, without locale, locks or memory: this runs inside an app. */
const char *dj_segment_reason(int failure);

/* Fills a field of the shared file: cut where too long, zeros behind. */
void dj_segment_copy_text(char *to, size_t size, const char *from);

#endif
