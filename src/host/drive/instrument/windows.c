#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "drive/instrument.h"

/* The largest assumed drift between two clocks, in parts per million. After a single
 * sample, the uncertainty grows by this drift. If the drift between two samples is
 * larger, a clock has jumped. */
enum { DRIFT_PPM = 200 };

static int64_t get_offset(const struct dj_instrument_clock_sample *sample)
{
    return sample->dev_ns - sample->host_ns;
}

int64_t dj_instrument_clock_to_device(const struct dj_instrument_clock *map,
                                      int64_t host_ns)
{
    const struct dj_instrument_clock_sample *before = &map->before;
    const struct dj_instrument_clock_sample *after = &map->after;
    if (before->uncertainty_ns < 0 || after->uncertainty_ns < 0 ||
        after->host_ns <= before->host_ns) {
        return host_ns + get_offset(before->uncertainty_ns >= 0 ? before : after);
    }
    double part =
        (double)(host_ns - before->host_ns) / (double)(after->host_ns - before->host_ns);
    return host_ns + get_offset(before) +
           (int64_t)(part * (double)(get_offset(after) - get_offset(before)));
}

int64_t dj_instrument_clock_uncertainty_ns(const struct dj_instrument_clock *map)
{
    const struct dj_instrument_clock_sample *before = &map->before;
    const struct dj_instrument_clock_sample *after = &map->after;
    if (before->uncertainty_ns < 0 || after->uncertainty_ns < 0) {
        const struct dj_instrument_clock_sample *only =
            before->uncertainty_ns >= 0 ? before : after;
        int64_t apart_ns = after->host_ns - before->host_ns;
        int64_t drift_ns = apart_ns > 0 ? apart_ns / 1000000 * DRIFT_PPM : 0;
        return only->uncertainty_ns < 0 ? -1 : 2 * only->uncertainty_ns + drift_ns;
    }
    int64_t worse_ns = before->uncertainty_ns > after->uncertainty_ns
                           ? before->uncertainty_ns
                           : after->uncertainty_ns;
    int64_t apart_ns = get_offset(after) - get_offset(before);
    apart_ns = apart_ns < 0 ? -apart_ns : apart_ns;
    int64_t drift_ns = (after->host_ns - before->host_ns) / 1000000 * DRIFT_PPM;
    bool jumped = apart_ns > before->uncertainty_ns + after->uncertainty_ns + drift_ns;
    /* The uncertainty of the clock counts twice: once for the clock, and once for the
     * transfer of a line, which takes about as long. Both are half a round trip. */
    return 2 * worse_ns + (jumped ? apart_ns : 0);
}

enum { NAME = sizeof(((struct dj_driver_window *)0)->name) };

/* Writes "CLASS#METHOD" in one line. Truncates the beginning of a name that is too long,
 * because its end is more specific. */
static void format_name(const struct dj_test *test, size_t room, struct dj_text *name)
{
    static const char cut[] = "…";
    struct dj_text whole = {0};
    dj_text_append_escaped_name(&whole, test->class_name);
    dj_text_add(&whole, "#");
    dj_text_append_escaped_name(&whole, test->method);
    dj_text_clear(name);
    size_t at = 0;
    if (whole.length > room) {
        dj_text_add(name, cut);
        while (at < whole.length && whole.length - at > room - (sizeof(cut) - 1)) {
            at += dj_utf8_at(whole.data + at, whole.length - at).bytes;
        }
    }
    dj_text_append(name, dj_text_get(&whole) + at, whole.length - at);
    name->failed = name->failed || whole.failed;
    dj_text_finish(&whole);
}

/* Returns how many earlier runs of the same test the results contain. */
static size_t count_runs_before(const struct dj_test_results *results, size_t index)
{
    const struct dj_test *test = &results->tests[index];
    size_t count = 0;
    for (size_t i = 0; i < index; i++) {
        count += strcmp(results->tests[i].method, test->method) == 0 &&
                 strcmp(results->tests[i].class_name, test->class_name) == 0;
    }
    return count;
}

static bool add_window(struct dj_drive_log *log, const struct dj_test *test,
                       size_t before, struct dj_span span)
{
    struct dj_text name = {0};
    char again[32] = "";
    if (before > 0) {
        snprintf(again, sizeof(again), " (%zu)", before + 1);
    }
    format_name(test, NAME - 1 - strlen(again), &name);
    dj_text_add(&name, again);
    bool added = !name.failed && dj_drive_log_add_window(log, dj_text_get(&name), span);
    dj_text_finish(&name);
    return added;
}

bool dj_instrument_add_windows(struct dj_drive_log *log,
                               const struct dj_test_results *results, int64_t ended_ns)
{
    bool added = true;
    for (size_t i = 0; i < results->test_count && added; i++) {
        const struct dj_test *test = &results->tests[i];
        bool carried_out = test->outcome != DJ_TEST_IGNORED &&
                           test->outcome != DJ_TEST_ASSUMPTION_FAILED;
        int64_t end_ns = test->end_ns >= 0 ? test->end_ns : ended_ns;
        if (carried_out && test->begin_ns >= 0 && end_ns > test->begin_ns) {
            added = add_window(log, test, count_runs_before(results, i),
                               (struct dj_span){test->begin_ns, end_ns});
        }
    }
    return added;
}
