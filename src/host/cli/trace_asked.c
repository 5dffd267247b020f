#include "cli/trace_asked.h"

#include <string.h>

#include "base/error.h"
#include "cli/trace_options.h"

enum { MEGABYTE = 1 << 20 };

static enum dj_trace_wish wish_of(const struct dj_trace_asked *asked)
{
    return asked->trace == NULL                 ? DJ_TRACE_NONE
           : strcmp(asked->trace, "janky") == 0 ? DJ_TRACE_JANKY
                                                : DJ_TRACE_ALL;
}

/* ---- what is wrong ---- */

static bool is_any_said(const struct dj_trace_asked *asked)
{
    const struct dj_trace_words *words = &asked->words;
    return words->before_ns > 0 || words->after_ns > 0 || words->level != NULL ||
           words->buffer_mb > 0 || words->size_mb > 0 || asked->categories != NULL;
}

static bool is_local(const char *device)
{
    return strcmp(device, "local:") == 0;
}

/* A device's own categories are known once it is there. */
static int check_devices(const struct dj_trace_asked *asked,
                         const struct dj_batch_plan *plan, struct dj_error *err)
{
    const struct dj_capture_plan categories = {.categories = asked->categories,
                                               .category_count = asked->category_count};
    size_t local = 0;
    for (size_t i = 0; i < plan->device_count; i++) {
        local += is_local(plan->devices[i]);
    }
    if (asked->words.level != NULL && local == 0) {
        return dj_error_set(err, DJ_E_USAGE, "--trace-level is of this machine");
    }
    if (asked->categories == NULL || local < plan->device_count) {
        return 0;
    }
    int code = dj_capture_check_categories(&categories, err);
    if (code != 0) {
        dj_error_prepend(err, "--trace-category");
    }
    return code != 0 ? DJ_E_USAGE : 0;
}

/* `trace` is what would be captured. */
static int check(const struct dj_trace_asked *asked, const struct dj_batch_plan *plan,
                 const struct dj_trace_plan *trace, struct dj_error *err)
{
    if (trace->what == DJ_TRACE_NONE && is_any_said(asked)) {
        return dj_error_set(err, DJ_E_USAGE,
                            "--trace-… says how --trace captures, and without that "
                            "nothing is captured");
    }
    if (trace->what == DJ_TRACE_ALL &&
        (asked->words.before_ns > 0 || asked->words.after_ns > 0)) {
        return dj_error_set(err, DJ_E_USAGE,
                            "--trace-before and --trace-after are of --trace=janky");
    }
    int code =
        dj_trace_options_check(&asked->words, "trace-", DJ_TRACE_SIZE_MOST_MB, err);
    return code == 0 ? check_devices(asked, plan, err) : code;
}

/* ---- what is captured ---- */

int dj_trace_asked_apply(const struct dj_trace_asked *asked, struct dj_batch_plan *plan,
                         const char **note, struct dj_error *err)
{
    const struct dj_trace_words *words = &asked->words;
    struct dj_trace_plan trace = plan->trace;
    *note = NULL;
    if (asked->trace != NULL) {
        trace.what = wish_of(asked);
    }
    if (trace.what == DJ_TRACE_ALL && (trace.before_ns > 0 || trace.after_ns > 0)) {
        *note = "its 'before' and 'after' are of 'around: janky', and mean nothing with "
                "--trace=all";
        trace.before_ns = trace.after_ns = 0;
    }
    int code = check(asked, plan, &trace, err);
    if (code != 0) {
        return code;
    }
    trace.before_ns = words->before_ns > 0 ? words->before_ns : trace.before_ns;
    trace.after_ns = words->after_ns > 0 ? words->after_ns : trace.after_ns;
    trace.buffer_bytes =
        words->buffer_mb > 0 ? words->buffer_mb * MEGABYTE : trace.buffer_bytes;
    trace.size_bytes = words->size_mb > 0 ? words->size_mb * MEGABYTE : trace.size_bytes;
    if (words->level != NULL) {
        trace.level_asked = dj_trace_level_find(words->level, &trace.level);
    }
    if (asked->categories != NULL) {
        trace.categories = asked->categories;
        trace.category_count = asked->category_count;
    }
    plan->trace = trace;
    return 0;
}
