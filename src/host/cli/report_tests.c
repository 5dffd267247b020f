#include "cli/report_tests.h"

#include "cli/options.h"
#include "cli/read_input.h"
#include "cli/verbs.h"
#include "report/junit.h"

static int read_stream(const char *path, struct dj_instrument_stream *stream,
                       struct dj_error *err)
{
    struct dj_text text = {0};
    int code = dj_read_whole(path, &text, err);
    if (code == 0) {
        code =
            dj_instrument_stream_feed(stream, dj_text_get(&text), text.length, -1, err);
    }
    code = code == 0 ? dj_instrument_stream_end(stream, -1, err) : code;
    dj_text_finish(&text);
    return code;
}

static bool says_anything(const struct dj_instrument_results *results)
{
    return dj_instrument_seen_count(results) > 0 || results->has_code || results->plain ||
           results->crashed || results->failure != NULL || results->expected >= 0;
}

static int add_input(struct dj_junit *junit, const char *path, struct dj_error *err)
{
    struct dj_instrument_stream *stream = dj_instrument_stream_create();
    if (stream == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "no memory for the results of tests");
    }
    const struct dj_instrument_results *results = dj_instrument_stream_results(stream);
    int code = read_stream(path, stream, err);
    if (code == 0 && !says_anything(results)) {
        code = dj_error_set(err, DJ_E_NO_DATA,
                            "no output of am instrument: expected lines such as "
                            "'INSTRUMENTATION_STATUS: test=…'");
    }
    if (code == 0) {
        dj_junit_add(junit, &(struct dj_junit_run){.name = dj_input_name(path),
                                                   .started_unix = -1,
                                                   .results = results});
    }
    dj_instrument_stream_destroy(stream);
    return code;
}

int dj_report_tests(int count, char **paths, struct dj_text *text)
{
    struct dj_junit junit = {.suites = {0}};
    int result = DJ_EXIT_OK;
    for (int i = 0; i < count; i++) {
        struct dj_error err = {0};
        int code = add_input(&junit, paths[i], &err);
        if (code != 0) {
            dj_complain("report", "%s: %s", dj_input_name(paths[i]), err.message);
            result = (int)dj_exit_for(code);
        }
    }
    if (junit.suites.length > 0) {
        dj_junit_write(text, &junit);
    }
    dj_junit_finish(&junit);
    return result;
}
