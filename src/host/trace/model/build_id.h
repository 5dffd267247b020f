/* Reads the build-id of a mapping of a trace. */
#ifndef DEJANK_TRACE_MODEL_BUILD_ID_H
#define DEJANK_TRACE_MODEL_BUILD_ID_H

#include "base/str.h"
#include "stacks/elf.h"

/* Reads a build-id that is stored as bytes, or in hexadecimal, as some producers do. The
 * length is 0 if the build-id is unknown or too long. */
struct dj_stacks_build_id dj_trace_read_build_id(struct dj_str stored);

#endif
