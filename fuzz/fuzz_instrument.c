/* Reads any bytes as the output of `am instrument`, as a whole and in pieces, and as the
 * output of `pm list instrumentation`. The counts of output with -r must match the tests.
 * A verdict other than "passed" must have a reason. The pieces must give the same results
 * as the whole. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "drive/instrument.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_test(const struct dj_test *test)
{
    check(strlen(test->class_name) <= 2 * DJ_INSTRUMENT_NAME_MAX + 64);
    check(strlen(test->method) <= 2 * DJ_INSTRUMENT_NAME_MAX + 64);
    check(test->stack == NULL || strlen(test->stack) <= DJ_INSTRUMENT_STACK_MAX);
    check(test->outcome != DJ_TEST_NOT_FINISHED || test->end_ns < 0);
    check(test->begin_ns < 0 || test->end_ns < 0 || test->begin_ns <= test->end_ns);
    check(test->begin_ns >= 0 || test->end_ns >= 0);
}

static void check_results(const struct dj_test_results *results)
{
    uint32_t counted[DJ_TEST_OUTCOMES] = {0};
    for (size_t i = 0; i < results->test_count; i++) {
        check_test(&results->tests[i]);
        counted[results->tests[i].outcome]++;
    }
    check(results->plain || memcmp(counted, results->count, sizeof(counted)) == 0);
    check(results->crashed == (results->crash != NULL));
    check(results->test_count <= DJ_INSTRUMENT_TESTS_MAX);

    char reason[240];
    enum dj_test_verdict verdict = dj_facts_tests_judge(results, reason, sizeof(reason));
    check((reason[0] == '\0') == (verdict == DJ_TESTS_PASSED));
    check(verdict != DJ_TESTS_PASSED || counted[DJ_TEST_FAILED] == 0);

    struct dj_drive_log log = {0};
    check(dj_instrument_add_windows(&log, results, INT64_MAX));
    check(log.window_count <= results->test_count);
    for (size_t i = 0; i < log.window_count; i++) {
        check(log.windows[i].span.start_ns < log.windows[i].span.end_ns);
        check(log.windows[i].name[0] != '\0' &&
              strchr(log.windows[i].name, '\n') == NULL);
    }
    dj_drive_log_finish(&log);
}

static struct dj_instrument_stream *read_pieces(const char *bytes, size_t size,
                                                size_t piece)
{
    struct dj_instrument_stream *stream = dj_drive_instrument_stream_create();
    check(stream != NULL);
    int64_t at_ns = 0;
    for (size_t at = 0; at < size; at += piece) {
        size_t length = size - at < piece ? size - at : piece;
        int code =
            dj_drive_instrument_stream_feed(stream, bytes + at, length, at_ns++, NULL);
        check(code == 0 || code == DJ_E_LIMIT);
    }
    int code = dj_drive_instrument_stream_end(stream, at_ns, NULL);
    check(code == 0 || code == DJ_E_LIMIT);
    return stream;
}

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void check_same(const struct dj_test_results *a, const struct dj_test_results *b)
{
    check(a->test_count == b->test_count && a->expected == b->expected);
    check(memcmp(a->count, b->count, sizeof(a->count)) == 0);
    check(a->plain == b->plain && a->has_code == b->has_code && a->code == b->code);
    check(same(a->crash, b->crash) && same(a->failure, b->failure) &&
          same(a->stray, b->stray));
    for (size_t i = 0; i < a->test_count; i++) {
        check(a->tests[i].outcome == b->tests[i].outcome);
        check(same(a->tests[i].class_name, b->tests[i].class_name) &&
              same(a->tests[i].method, b->tests[i].method) &&
              same(a->tests[i].stack, b->tests[i].stack));
    }
}

/* Searches the text for an instrumentation with the name in the text's first line. */
static void find(const char *bytes, size_t size)
{
    char wanted[400];
    const char *end = memchr(bytes, '\n', size);
    size_t length = end != NULL ? (size_t)(end - bytes) : size;
    length = length < sizeof(wanted) - 1 ? length : sizeof(wanted) - 1;
    memcpy(wanted, bytes, length);
    wanted[length] = '\0';
    struct dj_instrumentation found = {{0}, {0}};
    struct dj_error err = {0};
    int code = dj_instrument_find(bytes, size, wanted, &found, &err);
    check(code == 0 || err.message[0] != '\0');
    check(code != 0 || strchr(found.component, '/') != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char none[1] = "";
    const char *bytes = size > 0 ? (const char *)data : none;
    struct dj_instrument_stream *whole = read_pieces(bytes, size, size > 0 ? size : 1);
    struct dj_instrument_stream *pieces = read_pieces(bytes, size, 3);
    check_results(dj_drive_instrument_stream_results(whole));
    check_results(dj_drive_instrument_stream_results(pieces));
    check_same(dj_drive_instrument_stream_results(whole),
               dj_drive_instrument_stream_results(pieces));
    dj_drive_instrument_stream_destroy(whole);
    dj_drive_instrument_stream_destroy(pieces);
    find(bytes, size);
    return 0;
}
