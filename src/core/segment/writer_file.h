/* What the writers of this room share in making their files. Of this room only. */
#ifndef DEJANK_SEGMENT_WRITER_FILE_H
#define DEJANK_SEGMENT_WRITER_FILE_H

#include <sys/types.h>

#include "segment/writer.h"

/* Fills a field of the shared file: cut where too long, zeros behind. */
void dj_segment_copy_text(char *to, size_t size, const char *from);

#endif
