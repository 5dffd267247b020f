#include "cli/trace_options.h"

int dj_trace_options_check(const struct dj_trace_words *words, const char *prefix,
                           int64_t size_most_mb, struct dj_error *err)
{
    const struct {
        const char *option;
        int64_t said_mb, most_mb;
    } bounds[] = {
        {"buffer", words->buffer_mb, DJ_TRACE_BUFFER_MOST_MB},
        {"size", words->size_mb, size_most_mb},
    };
    enum dj_capture_level level;
    if (words->level != NULL && !dj_trace_level_find(words->level, &level)) {
        return dj_error_set(err, DJ_E_USAGE,
                            "--%slevel: expected tracefs, perf or own-threads, got '%s'",
                            prefix, words->level);
    }
    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
        if (bounds[i].said_mb > bounds[i].most_mb) {
            return dj_error_set(err, DJ_E_USAGE, "--%s%s: %lld MB at most", prefix,
                                bounds[i].option, (long long)bounds[i].most_mb);
        }
    }
    return 0;
}
