/* Protobuf messages as they are built, field by field. Of this room only. */
#ifndef DEJANK_TRACE_PROTO_WRITE_H
#define DEJANK_TRACE_PROTO_WRITE_H

#include "base/text.h"
#include "trace/event.h"

void dj_proto_uint(struct dj_text *text, uint32_t field, uint64_t value);
/* int32, int64, enum: below 0 it takes ten bytes. */
void dj_proto_int(struct dj_text *text, uint32_t field, int64_t value);
void dj_proto_fixed64(struct dj_text *text, uint32_t field, uint64_t value);

/* A string: what is no UTF-8 in it becomes U+FFFD, byte by byte, as readers refuse the
 * whole message otherwise. */
void dj_proto_words(struct dj_text *text, uint32_t field, struct dj_words words);
void dj_proto_string(struct dj_text *text, uint32_t field, const char *string);

/* A message within: what is written between the two calls is its fields. Its length goes
 * before it, so that its bytes may move when it is closed. */
size_t dj_proto_open(struct dj_text *text, uint32_t field);
void dj_proto_close(struct dj_text *text, size_t opened);

#endif
