/*
 * Reads the output of `am instrument` without -r. After the name of a class, it has a dot
 * for each passed test, with failures between the dots. The last line has the counts.
 *
 *     com.example.ListTest:..
 *     Error in flings(com.example.ListTest):
 *     java.lang.AssertionError
 *             at org.junit.Assert.fail(Assert.java:86)
 *     .
 *     Time: 1.5
 *     Tests run: 4,  Failures: 1
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "drive/instrument/stream_private.h"
#include "drive/instrument_stream.h"

static bool starts_with(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

/* Returns the number of dots after the colon of a line such as "com.example.ListTest:..".
 * Returns −1 for other lines. */
static long count_dots(const char *line)
{
    size_t name = 0;
    bool point = false;
    for (; isalnum((unsigned char)line[name]) || strchr("_$.", line[name]) != NULL;
         name++) {
        if (line[name] == '\0') {
            return -1;
        }
        point = point || line[name] == '.';
    }
    if (!point || line[name] != ':') {
        return -1;
    }
    size_t dots = strspn(line + name + 1, ".");
    return line[name + 1 + dots] == '\0' ? (long)dots : -1;
}

static void read_class(struct dj_instrument_stream *stream, const char *line, long dots)
{
    struct dj_text *class_name = &stream->value[DJ_VALUE_CLASS];
    size_t length = strcspn(line, ":");
    dj_text_clear(class_name);
    dj_text_append(class_name, line,
                   length < class_name->maximum ? length : class_name->maximum);
    stream->dots += (uint32_t)dots;
    stream->in_stack = false;
}

/* Reads the name of a failed test: "flings(com.example.ListTest):", or "flings:" for a
 * test of the class that was named last. */
static void read_failure(struct dj_instrument_stream *stream, const char *words,
                         enum dj_test_outcome outcome)
{
    const char *end = words + strlen(words);
    end -= end > words && end[-1] == ':' ? 1 : 0;
    const char *open = memrchr(words, '(', (size_t)(end - words));
    struct dj_str class_name = {dj_text_get(&stream->value[DJ_VALUE_CLASS]),
                                stream->value[DJ_VALUE_CLASS].length};
    struct dj_str method = {words, (size_t)(end - words)};
    if (open != NULL && end[-1] == ')') {
        class_name = (struct dj_str){open + 1, (size_t)(end - 1 - (open + 1))};
        method.length = (size_t)(open - words);
    }
    struct dj_test *test = dj_instrument_add_test(stream, class_name, method);
    if (test != NULL) {
        stream->results.count[DJ_TEST_NOT_FINISHED]--;
        stream->results.count[outcome]++;
        test->outcome = outcome;
        test->end_ns = stream->at_ns;
        dj_text_clear(&stream->value[DJ_VALUE_STACK]);
        stream->in_stack = true;
    }
}

/* Appends a line to the stack of the last test. */
static void read_stack(struct dj_instrument_stream *stream, const char *line)
{
    struct dj_text *stack = &stream->value[DJ_VALUE_STACK];
    size_t length = strlen(line);
    if (stack->length + length + 1 > stack->maximum) {
        return;
    }
    dj_text_add(stack, stack->length > 0 ? "\n" : "");
    dj_text_append(stack, line, length);
}

static void end_stack(struct dj_instrument_stream *stream)
{
    struct dj_test_results *results = &stream->results;
    if (stream->in_stack && results->test_count > 0) {
        dj_instrument_set_stack(stream, &results->tests[results->test_count - 1]);
    }
    dj_text_clear(&stream->value[DJ_VALUE_STACK]);
    stream->in_stack = false;
}

/* Reads "OK (4 tests)" or "Tests run: 58, Failures: 6, Errors: 1". */
static bool read_summary(struct dj_instrument_stream *stream, const char *line)
{
    const char *failures = strstr(line, "Failures: ");
    const char *errors = strstr(line, "Errors: ");
    if (starts_with(line, "OK (")) {
        stream->summary_run = strtoll(line + 4, NULL, 10);
        stream->summary_failures = 0;
        stream->summary_errors = 0;
    } else if (starts_with(line, "Tests run: ")) {
        stream->summary_run = strtoll(line + 11, NULL, 10);
        stream->summary_failures =
            failures != NULL ? strtoll(failures + 10, NULL, 10) : 0;
        stream->summary_errors = errors != NULL ? strtoll(errors + 8, NULL, 10) : -1;
    } else {
        return false;
    }
    return true;
}

static bool read_known(struct dj_instrument_stream *stream, const char *line)
{
    long dots = count_dots(line);
    size_t only_dots = strspn(line, ".");
    if (dots >= 0) {
        end_stack(stream);
        read_class(stream, line, dots);
    } else if (only_dots > 0 && line[only_dots] == '\0') {
        end_stack(stream);
        stream->dots += (uint32_t)only_dots;
    } else if (starts_with(line, "Error in ") || starts_with(line, "Failure in ")) {
        end_stack(stream);
        bool error = line[0] == 'E';
        read_failure(stream, line + (error ? 9 : 11),
                     error ? DJ_TEST_ERROR : DJ_TEST_FAILED);
    } else if (starts_with(line, "Time: ") || starts_with(line, "Test results for ")) {
        end_stack(stream);
    } else if (read_summary(stream, line)) {
        end_stack(stream);
    } else {
        return false;
    }
    return true;
}

void dj_instrument_read_plain_line(struct dj_instrument_stream *stream,
                                   struct dj_str bytes)
{
    char line[2 * DJ_INSTRUMENT_NAME_MAX + 64];
    size_t kept = bytes.length < sizeof(line) - 1 ? bytes.length : sizeof(line) - 1;
    memcpy(line, bytes.at, kept);
    line[kept] = '\0';
    if (!stream->statuses && read_known(stream, line)) {
        stream->results.plain = true;
    } else if (stream->in_stack) {
        read_stack(stream, line);
    } else if (line[strspn(line, " \t")] != '\0') {
        dj_instrument_set_first(stream, &stream->results.stray, bytes);
    }
}

/* Changes errors to failures. JUnit 4 does not distinguish errors from failures: its last
 * line has no count of errors, but the text before a stack is still "Error in". */
static void merge_errors(struct dj_test_results *results)
{
    for (size_t i = 0; i < results->test_count; i++) {
        if (results->tests[i].outcome == DJ_TEST_ERROR) {
            results->tests[i].outcome = DJ_TEST_FAILED;
            results->count[DJ_TEST_ERROR]--;
            results->count[DJ_TEST_FAILED]++;
        }
    }
}

static uint32_t read_count(int64_t figure)
{
    return figure < 0 ? 0 : figure > UINT32_MAX / 4 ? UINT32_MAX / 4 : (uint32_t)figure;
}

/* Returns the larger of the two counts. A failure that was named remains a failure, even
 * if the counts in the last line are smaller. */
static uint32_t max_count(uint32_t named, int64_t summed)
{
    uint32_t count = read_count(summed);
    return named > count ? named : count;
}

void dj_instrument_end_plain_report(struct dj_instrument_stream *stream)
{
    struct dj_test_results *results = &stream->results;
    if (!results->plain) {
        return;
    }
    end_stack(stream);
    if (stream->summary_run < 0 || stream->summary_errors < 0) {
        merge_errors(results);
    }
    results->count[DJ_TEST_PASSED] = stream->dots;
    /* The counts in the last line, if there are any, replace the counts of dots. */
    if (stream->summary_run >= 0) {
        uint32_t run = read_count(stream->summary_run);
        uint32_t failures =
            max_count(results->count[DJ_TEST_FAILED], stream->summary_failures);
        uint32_t errors =
            max_count(results->count[DJ_TEST_ERROR], stream->summary_errors);
        results->expected = run;
        results->count[DJ_TEST_FAILED] = failures;
        results->count[DJ_TEST_ERROR] = errors;
        results->count[DJ_TEST_PASSED] =
            run > failures + errors ? run - failures - errors : 0;
    }
}
