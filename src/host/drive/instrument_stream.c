#include "drive/instrument_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive/instrument_parts.h"

/* The values that matter, of INSTRUMENTATION_STATUS and of INSTRUMENTATION_RESULT. Of
 * those that never hold a line break only the first line is taken: what adb or a linker
 * says in between would else become a part of a name. */
static const struct {
    const char *key;
    enum dj_value_source source;
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

struct dj_instrument_stream *dj_instrument_stream_create(void)
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

void dj_instrument_stream_destroy(struct dj_instrument_stream *stream)
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

/* As much of the bytes as the text's maximum allows. */
static void append_cut(struct dj_instrument_stream *stream, struct dj_text *text,
                       const char *bytes, size_t length)
{
    size_t room = text->maximum - text->length;
    dj_text_append(text, bytes, length < room ? length : room);
    stream->no_memory = stream->no_memory || text->failed;
}

void dj_instrument_keep(struct dj_instrument_stream *stream, char **to, const char *bytes,
                        size_t length)
{
    if (*to != NULL || strnlen(bytes, length) == 0) {
        return;
    }
    *to = dj_text_copy(bytes,
                       length < DJ_INSTRUMENT_NAME_MAX ? length : DJ_INSTRUMENT_NAME_MAX);
    stream->no_memory = stream->no_memory || *to == NULL;
}

/* "key=value": opens the value, in which later lines go on. */
static void open_value(struct dj_instrument_stream *stream, enum dj_value_source source,
                       const char *bytes, size_t length)
{
    const char *equals = memchr(bytes, '=', length);
    size_t key_length = equals != NULL ? (size_t)(equals - bytes) : length;
    stream->open = DJ_VALUES;
    stream->within = true;
    for (size_t i = 0; i < DJ_VALUES && equals != NULL; i++) {
        if (known[i].source == source && strlen(known[i].key) == key_length &&
            memcmp(known[i].key, bytes, key_length) == 0) {
            stream->open = (enum dj_value)i;
            dj_text_clear(&stream->value[i]);
            append_cut(stream, &stream->value[i], equals + 1, length - key_length - 1);
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

static void go_on(struct dj_instrument_stream *stream, const char *bytes, size_t length)
{
    if (stream->open == DJ_VALUES) {
        return;
    }
    struct dj_text *value = &stream->value[stream->open];
    bool more = known[stream->open].lines == ALL_LINES ||
                (known[stream->open].lines == BRACKETED && bracket_is_open(value));
    if (more) {
        append_cut(stream, value, "\n", 1);
        append_cut(stream, value, bytes, length);
    }
}

static void clear_values(struct dj_instrument_stream *stream, enum dj_value_source source)
{
    for (size_t i = 0; i < DJ_VALUES; i++) {
        if (known[i].source == source) {
            dj_text_clear(&stream->value[i]);
        }
    }
    stream->open = DJ_VALUES;
    stream->within = false;
}

/* The number a line begins with, whatever another writer put behind it without a line
 * break. */
static bool read_number(const char *bytes, size_t length, long long *number)
{
    char digits[24] = {0};
    memcpy(digits, bytes, length < sizeof(digits) - 1 ? length : sizeof(digits) - 1);
    char *end;
    *number = strtoll(digits, &end, 10);
    return end != digits;
}

static void status(struct dj_instrument_stream *stream, const char *bytes, size_t length)
{
    stream->results.plain = false;
    stream->statuses = true;
    open_value(stream, DJ_OF_STATUS, bytes, length);
}

static void status_code(struct dj_instrument_stream *stream, const char *bytes,
                        size_t length)
{
    long long code;
    long long expected;
    const struct dj_text *error = &stream->value[DJ_VALUE_ERROR];
    const struct dj_text *numtests = &stream->value[DJ_VALUE_NUMTESTS];
    if (read_number(dj_text_get(numtests), numtests->length, &expected) &&
        expected >= 0) {
        stream->results.expected = expected;
    }
    if (read_number(bytes, length, &code)) {
        if (error->length > 0 && code < 0) {
            dj_instrument_keep(stream, &stream->results.failure, error->data,
                               error->length);
        }
        dj_instrument_test_status(stream, code);
    }
    clear_values(stream, DJ_OF_STATUS);
}

static void result(struct dj_instrument_stream *stream, const char *bytes, size_t length)
{
    open_value(stream, DJ_OF_RESULT, bytes, length);
}

static void closing_code(struct dj_instrument_stream *stream, const char *bytes,
                         size_t length)
{
    long long code;
    dj_instrument_close_result(stream);
    clear_values(stream, DJ_OF_RESULT);
    if (read_number(bytes, length, &code)) {
        stream->results.has_code = true;
        stream->results.code = (int)code;
    }
}

static void failed(struct dj_instrument_stream *stream, const char *bytes, size_t length)
{
    char text[DJ_INSTRUMENT_NAME_MAX];
    int size = snprintf(text, sizeof(text), "%.*s could not be started",
                        length > 800 ? 800 : (int)length, bytes);
    dj_instrument_keep(stream, &stream->results.failure, text, (size_t)size);
    stream->within = false;
}

static void aborted(struct dj_instrument_stream *stream, const char *bytes, size_t length)
{
    static const char unsaid[] = "the tests were aborted";
    bool said = strnlen(bytes, length) > 0;
    dj_instrument_keep(stream, &stream->results.failure, said ? bytes : unsaid,
                       said ? length : sizeof(unsaid) - 1);
    stream->within = false;
}

/* Words at the start of a line; the longer of two alike stands first. */
static const struct {
    const char *word;
    void (*read)(struct dj_instrument_stream *stream, const char *bytes, size_t length);
} line_kinds[] = {
    {"INSTRUMENTATION_STATUS_CODE: ", status_code},
    {"INSTRUMENTATION_STATUS: ", status},
    {"INSTRUMENTATION_RESULT: ", result},
    {"INSTRUMENTATION_CODE: ", closing_code},
    {"INSTRUMENTATION_FAILED: ", failed},
    {"INSTRUMENTATION_ABORTED: ", aborted},
    /* Wrappings of the two before, by am's own error reporting. */
    {"android.util.AndroidException: INSTRUMENTATION_FAILED: ", failed},
    {"onError: commandError=false message=INSTRUMENTATION_ABORTED: ", aborted},
    {"onError: commandError=true message=INSTRUMENTATION_FAILED: ", failed},
    {"onError: commandError=true message=", aborted},
    {"onError: commandError=false message=", aborted},
};

static void read_line(struct dj_instrument_stream *stream, const char *bytes,
                      size_t length)
{
    while (length > 0 && bytes[length - 1] == '\r') {
        length--;
    }
    for (size_t i = 0; i < COUNT_OF(line_kinds); i++) {
        size_t word = strlen(line_kinds[i].word);
        if (length >= word && memcmp(bytes, line_kinds[i].word, word) == 0) {
            line_kinds[i].read(stream, bytes + word, length - word);
            return;
        }
    }
    if (stream->within) {
        go_on(stream, bytes, length);
    } else {
        dj_instrument_plain_line(stream, bytes, length);
    }
}

static int state(const struct dj_instrument_stream *stream, struct dj_error *err)
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

int dj_instrument_stream_feed(struct dj_instrument_stream *stream, const char *bytes,
                              size_t size, int64_t at_ns, struct dj_error *err)
{
    stream->at_ns = at_ns;
    while (size > 0 && !stream->no_memory && !stream->too_many) {
        const char *end = memchr(bytes, '\n', size);
        size_t length = end != NULL ? (size_t)(end - bytes) : size;
        append_cut(stream, &stream->line, bytes, length);
        size_t taken = end != NULL ? length + 1 : length;
        if (end != NULL) {
            read_line(stream, dj_text_get(&stream->line), stream->line.length);
            dj_text_clear(&stream->line);
        }
        bytes += taken;
        size -= taken;
    }
    return state(stream, err);
}

int dj_instrument_stream_end(struct dj_instrument_stream *stream, int64_t at_ns,
                             struct dj_error *err)
{
    stream->at_ns = at_ns;
    if (stream->line.length > 0) {
        read_line(stream, stream->line.data, stream->line.length);
        dj_text_clear(&stream->line);
    }
    dj_instrument_close_result(stream); /* where no closing code came */
    clear_values(stream, DJ_OF_RESULT);
    dj_instrument_plain_end(stream);
    return state(stream, err);
}

const struct dj_instrument_results *
dj_instrument_stream_results(const struct dj_instrument_stream *stream)
{
    return &stream->results;
}
