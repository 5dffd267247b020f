#include "drive/instrument_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive/instrument/stream_private.h"

/* The known values of INSTRUMENTATION_STATUS and INSTRUMENTATION_RESULT. For a value that
 * never contains a newline, only the first line is read. Otherwise a message that adb or
 * the linker prints in the next line would become part of the value. */
static const struct {
    const char *key;
    enum dj_instrument_value_source source;
    size_t maximum;
    enum { ONE_LINE, BRACKETED, ALL_LINES } lines;
} known[DJ_VALUES] = {
    [DJ_VALUE_CLASS] = {"class", DJ_OF_STATUS, DJ_INSTRUMENT_NAME_MAX, ONE_LINE},
    [DJ_VALUE_TEST] = {"test", DJ_OF_STATUS, DJ_INSTRUMENT_NAME_MAX, BRACKETED},
    [DJ_VALUE_CURRENT] = {"current", DJ_OF_STATUS, 32, ONE_LINE},
    [DJ_VALUE_NUMTESTS] = {"numtests", DJ_OF_STATUS, 32, ONE_LINE},
    [DJ_VALUE_STACK] = {"stack", DJ_OF_STATUS, DJ_INSTRUMENT_STACK_MAX, ALL_LINES},
    [DJ_VALUE_ERROR] = {"Error", DJ_OF_STATUS, DJ_INSTRUMENT_NAME_MAX, ONE_LINE},
    [DJ_VALUE_SHORT] = {"shortMsg", DJ_OF_RESULT, DJ_INSTRUMENT_NAME_MAX, ONE_LINE},
    [DJ_VALUE_LONG] = {"longMsg", DJ_OF_RESULT, DJ_INSTRUMENT_NAME_MAX, ALL_LINES},
    [DJ_VALUE_SUMMARY] = {"stream", DJ_OF_RESULT, DJ_INSTRUMENT_STACK_MAX, ALL_LINES},
};

struct dj_instrument_stream *dj_drive_instrument_stream_create(void)
{
    struct dj_instrument_stream *stream = calloc(1, sizeof(*stream));
    if (stream == NULL) {
        return NULL;
    }
    stream->open = DJ_VALUES;
    stream->results.expected = -1;
    stream->summary_run = -1;
    stream->line.maximum = DJ_INSTRUMENT_LINE_MAX;
    for (size_t i = 0; i < DJ_VALUES; i++) {
        stream->value[i].maximum = known[i].maximum;
    }
    return stream;
}

void dj_drive_instrument_stream_destroy(struct dj_instrument_stream *stream)
{
    if (stream == NULL) {
        return;
    }
    for (size_t i = 0; i < stream->results.test_count; i++) {
        free(stream->results.tests[i].class_name);
        free(stream->results.tests[i].method);
        free(stream->results.tests[i].stack);
    }
    free(stream->results.tests);
    free(stream->results.crash);
    free(stream->results.failure);
    free(stream->results.stray);
    for (size_t i = 0; i < DJ_VALUES; i++) {
        dj_text_finish(&stream->value[i]);
    }
    dj_text_finish(&stream->line);
    free(stream);
}

/* Appends at most as many bytes as the maximum of the text allows. */
static void append_truncated(struct dj_instrument_stream *stream, struct dj_text *text,
                             struct dj_str bytes)
{
    size_t space = text->maximum - text->length;
    dj_text_append(text, bytes.at, bytes.length < space ? bytes.length : space);
    stream->no_memory = stream->no_memory || text->failed;
}

void dj_instrument_set_first(struct dj_instrument_stream *stream, char **to,
                             struct dj_str words)
{
    enum { MOST = DJ_INSTRUMENT_NAME_MAX };
    if (*to == NULL && strnlen(words.at, words.length) > 0) {
        *to = dj_text_copy(words.at, words.length < MOST ? words.length : MOST);
        stream->no_memory = stream->no_memory || *to == NULL;
    }
}

/* Begins a value with the line "key=value". Later lines may continue the value. */
static void open_value(struct dj_instrument_stream *stream,
                       enum dj_instrument_value_source source, struct dj_str line)
{
    struct dj_str key = line, value;
    stream->open = DJ_VALUES;
    stream->within = true;
    if (!dj_str_after(line, "=", &value)) {
        return;
    }
    key.length -= value.length + 1;
    for (size_t i = 0; i < DJ_VALUES; i++) {
        if (known[i].source == source && dj_str_is(key, known[i].key)) {
            stream->open = (enum dj_instrument_value)i;
            dj_text_clear(&stream->value[i]);
            append_truncated(stream, &stream->value[i], value);
        }
    }
}

static bool bracket_is_open(const struct dj_text *value)
{
    long depth = 0;
    for (size_t i = 0; i < value->length; i++) {
        depth += value->data[i] == '[' ? 1 : value->data[i] == ']' ? -1 : 0;
    }
    return depth > 0;
}

static void append_line(struct dj_instrument_stream *stream, struct dj_str line)
{
    if (stream->open == DJ_VALUES) {
        return;
    }
    struct dj_text *value = &stream->value[stream->open];
    if (known[stream->open].lines == ALL_LINES ||
        (known[stream->open].lines == BRACKETED && bracket_is_open(value))) {
        append_truncated(stream, value, dj_str_of("\n"));
        append_truncated(stream, value, line);
    }
}

static void clear_values(struct dj_instrument_stream *stream,
                         enum dj_instrument_value_source source)
{
    for (size_t i = 0; i < DJ_VALUES; i++) {
        if (known[i].source == source) {
            dj_text_clear(&stream->value[i]);
        }
    }
    stream->open = DJ_VALUES;
    stream->within = false;
}

static void read_status(struct dj_instrument_stream *stream, struct dj_str line)
{
    stream->results.plain = false;
    stream->statuses = true;
    open_value(stream, DJ_OF_STATUS, line);
}

/* Reads the number at the beginning of the line and ignores the rest, because another
 * process may have written text without a newline after the number. */
static void read_status_code(struct dj_instrument_stream *stream, struct dj_str line)
{
    int64_t code, expected;
    const char *numtests = dj_text_get(&stream->value[DJ_VALUE_NUMTESTS]);
    const char *error = dj_text_get(&stream->value[DJ_VALUE_ERROR]);
    if (dj_str_int(dj_str_of(numtests), &expected) && expected >= 0) {
        stream->results.expected = expected;
    }
    if (dj_str_int(line, &code)) {
        if (code < 0) {
            dj_instrument_set_first(stream, &stream->results.failure, dj_str_of(error));
        }
        dj_instrument_end_status(stream, code);
    }
    clear_values(stream, DJ_OF_STATUS);
}

static void read_result(struct dj_instrument_stream *stream, struct dj_str line)
{
    open_value(stream, DJ_OF_RESULT, line);
}

static void read_closing_code(struct dj_instrument_stream *stream, struct dj_str line)
{
    int64_t code;
    dj_instrument_end_result(stream);
    clear_values(stream, DJ_OF_RESULT);
    if (dj_str_int(line, &code)) {
        stream->results.has_code = true;
        stream->results.code = (int)code;
    }
}

static void read_failed(struct dj_instrument_stream *stream, struct dj_str line)
{
    char text[DJ_INSTRUMENT_NAME_MAX];
    snprintf(text, sizeof(text), "%.*s could not be started",
             line.length > 800 ? 800 : (int)line.length, line.at);
    dj_instrument_set_first(stream, &stream->results.failure, dj_str_of(text));
    stream->within = false;
}

static void read_aborted(struct dj_instrument_stream *stream, struct dj_str line)
{
    bool has_reason = strnlen(line.at, line.length) > 0;
    dj_instrument_set_first(stream, &stream->results.failure,
                            has_reason ? line : dj_str_of("the tests were aborted"));
    stream->within = false;
}

/* Keywords with which a line may begin. If one keyword is a prefix of another, the longer
 * one comes first. */
static const struct {
    const char *word;
    void (*read)(struct dj_instrument_stream *stream, struct dj_str line);
} line_kinds[] = {
    {"INSTRUMENTATION_STATUS_CODE: ", read_status_code},
    {"INSTRUMENTATION_STATUS: ", read_status},
    {"INSTRUMENTATION_RESULT: ", read_result},
    {"INSTRUMENTATION_CODE: ", read_closing_code},
    {"INSTRUMENTATION_FAILED: ", read_failed},
    {"INSTRUMENTATION_ABORTED: ", read_aborted},
    /* The same keywords inside error messages of am. */
    {"android.util.AndroidException: INSTRUMENTATION_FAILED: ", read_failed},
    {"onError: commandError=false message=INSTRUMENTATION_ABORTED: ", read_aborted},
    {"onError: commandError=true message=INSTRUMENTATION_FAILED: ", read_failed},
    {"onError: commandError=true message=", read_aborted},
    {"onError: commandError=false message=", read_aborted},
};

static void read_line(struct dj_instrument_stream *stream)
{
    struct dj_str line = {dj_text_get(&stream->line), stream->line.length}, rest;
    while (line.length > 0 && line.at[line.length - 1] == '\r') {
        line.length--;
    }
    for (size_t i = 0; i < COUNT_OF(line_kinds); i++) {
        if (dj_str_begins(line, line_kinds[i].word)) {
            dj_str_after(line, line_kinds[i].word, &rest);
            line_kinds[i].read(stream, rest);
            return;
        }
    }
    if (stream->within) {
        append_line(stream, line);
    } else {
        dj_instrument_read_plain_line(stream, line);
    }
}

static int get_state(const struct dj_instrument_stream *stream, struct dj_error *err)
{
    if (stream->no_memory) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "no memory for the results of tests");
    }
    if (stream->too_many) {
        return dj_error_set(err, DJ_E_LIMIT, "more than %d tests in one run",
                            DJ_INSTRUMENT_TESTS_MAX);
    }
    return 0;
}

int dj_drive_instrument_stream_feed(struct dj_instrument_stream *stream,
                                    const char *bytes, size_t size, int64_t at_ns,
                                    struct dj_error *err)
{
    stream->at_ns = at_ns;
    while (size > 0 && !stream->no_memory && !stream->too_many) {
        const char *end = memchr(bytes, '\n', size);
        size_t length = end != NULL ? (size_t)(end - bytes) : size;
        append_truncated(stream, &stream->line, (struct dj_str){bytes, length});
        size_t taken = end != NULL ? length + 1 : length;
        if (end != NULL) {
            read_line(stream);
            dj_text_clear(&stream->line);
        }
        bytes += taken;
        size -= taken;
    }
    return get_state(stream, err);
}

int dj_drive_instrument_stream_end(struct dj_instrument_stream *stream, int64_t at_ns,
                                   struct dj_error *err)
{
    stream->at_ns = at_ns;
    if (stream->line.length > 0) {
        read_line(stream);
        dj_text_clear(&stream->line);
    }
    /* Uses the values of INSTRUMENTATION_RESULT if INSTRUMENTATION_CODE is missing. */
    dj_instrument_end_result(stream);
    clear_values(stream, DJ_OF_RESULT);
    dj_instrument_end_plain_report(stream);
    return get_state(stream, err);
}

const struct dj_test_results *
dj_drive_instrument_stream_results(const struct dj_instrument_stream *stream)
{
    return &stream->results;
}
