#include "report/instrument_tests.h"

#include <stdio.h>

#include "drive/instrument_stream.h"
#include "input/read.h"
#include "memory/memory.h"
#include "report/junit.h"
#include "store/run_evidence.h"

static bool says_anything(const struct dj_test_results *results)
{
    return dj_facts_tests_reported_count(results) > 0 || results->has_code ||
           results->plain || results->crashed || results->failure != NULL ||
           results->expected >= 0;
}

/* Adds the output of am as a suite with the name of the run. */
static int add_text(struct dj_junit *junit, const struct dj_text *text,
                    struct dj_junit_run *run, struct dj_error *err)
{
    struct dj_instrument_stream *stream = dj_drive_instrument_stream_create();
    dj_xcheck(stream != NULL);
    const struct dj_test_results *results = dj_drive_instrument_stream_results(stream);
    int code =
        dj_drive_instrument_stream_feed(stream, dj_xtext(text), text->length, -1, err);
    code = code == 0 ? dj_drive_instrument_stream_end(stream, -1, err) : code;
    if (code == 0 && !says_anything(results)) {
        code = dj_error_set(err, DJ_E_NO_DATA,
                            "no output of am instrument: expected lines such as "
                            "'INSTRUMENTATION_STATUS: test=…'");
    }
    if (code == 0) {
        run->results = results;
        dj_report_add_junit_run(junit, run);
    }
    dj_drive_instrument_stream_destroy(stream);
    return code;
}

int dj_report_add_instrument_output(struct dj_junit *junit, const char *path,
                                    const struct dj_messages *messages,
                                    struct dj_error *err)
{
    struct dj_text text = {0};
    struct dj_junit_run run = {.name = dj_input_name(path), .started_unix = -1};
    int code = dj_input_read_whole(path, &text, messages, err);
    code = code == 0 ? add_text(junit, &text, &run, err) : code;
    dj_text_finish(&text);
    return code;
}

/* Adds the tests of a run. A run without output of am has none. */
static int add_tests(struct dj_junit *junit, struct dj_store *history,
                     const struct dj_batch *batch, const struct dj_run_row *run,
                     struct dj_error *err)
{
    struct dj_text text = {0};
    char name[200];
    snprintf(name, sizeof(name), "%.120s, run %lld%s, attempt %lld",
             batch->row.name != NULL ? batch->row.name : batch->row.id,
             (long long)run->number, run->warmup ? " to warm up" : "",
             (long long)run->attempt);
    struct dj_junit_run suite = {.name = name,
                                 .device = batch->row.serial,
                                 .started_unix = run->started_unix_ms / 1000};
    int code =
        dj_store_read_run_evidence(history, run->key, DJ_EVIDENCE_STREAM, &text, err);
    code = code == 0 ? add_text(junit, &text, &suite, err) : code;
    dj_text_finish(&text);
    /* Ignores missing output and output of other drivers, because the run's own case
     * reports it. */
    return code == DJ_E_NOT_FOUND || code == DJ_E_NO_DATA ? 0 : code;
}

int dj_report_batch_tests(struct dj_store *history, const struct dj_batches *batches,
                          struct dj_text *text, struct dj_error *err)
{
    struct dj_junit junit = {.suites = {0}};
    int code = 0;
    for (size_t i = 0; i < batches->count && code == 0; i++) {
        const struct dj_batch *batch = &batches->batch[i];
        dj_report_add_junit_batch(&junit, batch);
        for (size_t k = 0; k < batch->run_count && code == 0; k++) {
            code = add_tests(&junit, history, batch, &batch->runs[k], err);
        }
    }
    dj_report_write_junit(text, &junit);
    dj_report_finish_junit(&junit);
    return code;
}
