#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "drive/instrument/stream_private.h"
#include "drive/instrument_stream.h"

/* The status codes that begin or end a test. Other codes report progress (2) or the
 * numbers of a benchmark. */
static const struct {
    int64_t code;
    enum dj_test_outcome outcome;
} codes[] = {
    {1, DJ_TEST_NOT_FINISHED}, {0, DJ_TEST_PASSED},   {-1, DJ_TEST_ERROR},
    {-2, DJ_TEST_FAILED},      {-3, DJ_TEST_IGNORED}, {-4, DJ_TEST_ASSUMPTION_FAILED},
};

enum {
    CODES = COUNT_OF(codes),
    /* Number of latest tests among which the test that ends is searched for. The latest
     * test is not always the one that ends, because tests may overlap. */
    LOOK_BACK = 64
};

struct dj_test *dj_instrument_add_test(struct dj_instrument_stream *stream,
                                       struct dj_str class_name, struct dj_str method)
{
    struct dj_test_results *results = &stream->results;
    if (results->test_count >= DJ_INSTRUMENT_TESTS_MAX) {
        stream->too_many = true;
        return NULL;
    }
    struct dj_test test = {.class_name = dj_text_copy(class_name.at, class_name.length),
                           .method = dj_text_copy(method.at, method.length),
                           .begin_ns = -1,
                           .end_ns = -1};
    if (test.class_name == NULL || test.method == NULL ||
        !DJ_ARRAY_PUSH(results->tests, results->test_count, test)) {
        free(test.class_name);
        free(test.method);
        stream->no_memory = true;
        return NULL;
    }
    results->count[DJ_TEST_NOT_FINISHED]++;
    return &results->tests[results->test_count - 1];
}

/* Adds a test with the class and method of the current values. */
static struct dj_test *add_named_test(struct dj_instrument_stream *stream)
{
    return dj_instrument_add_test(stream,
                                  dj_str_of(dj_text_get(&stream->value[DJ_VALUE_CLASS])),
                                  dj_str_of(dj_text_get(&stream->value[DJ_VALUE_TEST])));
}

/* Returns whether the current values have the class and method of the test. */
static bool is_named(const struct dj_instrument_stream *stream,
                     const struct dj_test *test)
{
    return strcmp(test->method, dj_text_get(&stream->value[DJ_VALUE_TEST])) == 0 &&
           strcmp(test->class_name, dj_text_get(&stream->value[DJ_VALUE_CLASS])) == 0;
}

/* Returns the last test with the class and method of the current values that is still
 * running, or NULL. */
static struct dj_test *find_running(const struct dj_instrument_stream *stream)
{
    const struct dj_test_results *results = &stream->results;
    for (size_t back = 1; back <= results->test_count && back <= LOOK_BACK; back++) {
        struct dj_test *test = &results->tests[results->test_count - back];
        if (test->outcome == DJ_TEST_NOT_FINISHED && is_named(stream, test)) {
            return test;
        }
    }
    return NULL;
}

/* Returns the last test if the current values name this test and it has already ended.
 * Otherwise returns NULL. Android reports a crash after the end of a test in this way. */
static struct dj_test *find_ended(const struct dj_instrument_stream *stream)
{
    size_t count = stream->results.test_count;
    struct dj_test *last = count > 0 ? &stream->results.tests[count - 1] : NULL;
    return last != NULL && last->begun && is_named(stream, last) ? last : NULL;
}

static bool is_failure(enum dj_test_outcome outcome)
{
    return outcome == DJ_TEST_FAILED || outcome == DJ_TEST_ERROR;
}

void dj_instrument_set_stack(struct dj_instrument_stream *stream, struct dj_test *test)
{
    const struct dj_text *stack = &stream->value[DJ_VALUE_STACK];
    if (stack->length > 0) {
        free(test->stack);
        test->stack = dj_text_copy(stack->data, stack->length);
        stream->no_memory = stream->no_memory || test->stack == NULL;
    }
}

static void set_outcome(struct dj_instrument_stream *stream, struct dj_test *test,
                        enum dj_test_outcome outcome)
{
    stream->results.count[test->outcome]--;
    stream->results.count[outcome]++;
    test->outcome = outcome;
    test->end_ns = stream->at_ns;
    dj_instrument_set_stack(stream, test);
}

static void end_test(struct dj_instrument_stream *stream, enum dj_test_outcome outcome)
{
    struct dj_test *test = find_running(stream);
    if (test == NULL) {
        test = find_ended(stream);
        if (test != NULL && (!is_failure(outcome) || is_failure(test->outcome))) {
            return;
        }
    }
    if (test == NULL) {
        test = add_named_test(stream);
    }
    if (test != NULL) {
        set_outcome(stream, test, outcome);
    }
}

void dj_instrument_end_status(struct dj_instrument_stream *stream, int64_t code)
{
    const struct dj_text *values = stream->value;
    if (values[DJ_VALUE_CLASS].length == 0 || values[DJ_VALUE_TEST].length == 0) {
        /* The values describe no test. They are numbers about the whole run, messages of
         * the system, or the reason why a runner ended before its first test. */
        struct dj_str stack = dj_str_of(dj_text_get(&values[DJ_VALUE_STACK]));
        if (code < 0 && stack.length > 0) {
            stack.length = strcspn(stack.at, "\n");
            dj_instrument_set_first(stream, &stream->results.failure, stack);
        }
        return;
    }
    for (size_t i = 0; i < CODES; i++) {
        if (codes[i].code == code && codes[i].outcome != DJ_TEST_NOT_FINISHED) {
            end_test(stream, codes[i].outcome);
        } else if (codes[i].code == code) {
            struct dj_test *test = add_named_test(stream);
            if (test != NULL) {
                test->begun = true;
                test->begin_ns = stream->at_ns;
            }
        }
    }
}

/* Replaces line ends by spaces, because the message becomes part of a sentence. */
static void join_lines(char *text)
{
    for (char *at = text; *at != '\0'; at++) {
        if (*at == '\n' || *at == '\r') {
            *at = ' ';
        }
    }
}

void dj_instrument_end_result(struct dj_instrument_stream *stream)
{
    static const char aborted[] = "Test run aborted due to unexpected exception";
    struct dj_test_results *results = &stream->results;
    const char *brief = dj_text_get(&stream->value[DJ_VALUE_SHORT]);
    const char *words = dj_text_get(&stream->value[DJ_VALUE_LONG]);
    const char *summary = dj_text_get(&stream->value[DJ_VALUE_SUMMARY]);
    if (brief[0] != '\0' || words[0] != '\0') {
        char text[2 * DJ_INSTRUMENT_NAME_MAX + 8];
        /* Omit the short message if the long message contains it. */
        bool both = brief[0] != '\0' && words[0] != '\0' && strstr(words, brief) == NULL;
        snprintf(text, sizeof(text), "%s%s%s", both || words[0] == '\0' ? brief : "",
                 both ? ": " : "", words);
        join_lines(text);
        free(results->crash);
        results->crash = strdup(text);
        results->crashed = true;
        stream->no_memory = stream->no_memory || results->crash == NULL;
    }
    const char *found = strstr(summary, aborted);
    if (found != NULL) {
        struct dj_str line = {found, strcspn(found, "\n")};
        dj_instrument_set_first(stream, &results->failure, line);
    }
    if (strstr(summary, "OK (0 tests)") != NULL && results->expected < 0) {
        results->expected = 0;
    }
}
