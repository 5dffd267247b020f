/* LTTng-UST's tracepoint of the bench: a name, as a section has. Read several times by
 * its own macros. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER dejank_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "lttng_provider.h"

#if !defined(DEJANK_BENCH_LTTNG_PROVIDER_H) ||                                           \
    defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define DEJANK_BENCH_LTTNG_PROVIDER_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(dejank_bench, begin, LTTNG_UST_TP_ARGS(const char *, name),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_string(name, name)))

#endif

#include <lttng/tracepoint-event.h>
