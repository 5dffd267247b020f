#include "trace/text/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "trace/text/inflate.h"

enum { PIECE = 1 << 13 };

struct dj_viewer_data {
    struct dj_text_input input;
    /* Unpacks the data. NULL if the data is not compressed, or if nothing was read yet.
     * Owned by this struct. */
    struct dj_inflate *packed;
    bool begun;
    uint32_t bits; /* Bits of base64 characters that are not a complete byte yet. */
    /* Number of characters that were read of the current group of four. */
    uint8_t characters;
    uint64_t consumed; /* Number of characters read so far. */
    uint64_t unreadable;
    char damage[160];
    bool broken; /* True after an error. The rest of the data then cannot be read. */
    size_t length;
    char bytes[PIECE];
};

static struct dj_viewer_data *create_viewer(struct dj_chrome_events *events)
{
    struct dj_viewer_data *data = dj_xcalloc(1, sizeof(*data));
    data->input =
        (struct dj_text_input){.sink = events->sink, .events = events, .part = true};
    return data;
}

static void destroy_viewer(struct dj_viewer_data *data)
{
    if (data != NULL) {
        dj_text_input_finish(&data->input);
        dj_inflate_destroy(data->packed);
        free(data);
    }
}

static void note_fault(struct dj_viewer_data *data, const char *fault)
{
    data->broken = true;
    if (data->unreadable++ == 0) {
        snprintf(data->damage, sizeof(data->damage),
                 "character %llu of the page's base64 data: %s",
                 (unsigned long long)data->consumed, fault);
    }
}

static int read_unpacked(void *user, const char *bytes, size_t length,
                         struct dj_error *err)
{
    struct dj_viewer_data *data = user;
    return dj_text_input_read(&data->input, bytes, length, err);
}

/* Passes the decoded bytes on to the reader of the trace. */
static int flush_bytes(struct dj_viewer_data *data, struct dj_error *err)
{
    size_t length = data->length;
    data->length = 0;
    if (length == 0 || data->broken) {
        return 0;
    }
    if (!data->begun && length >= 2 && (unsigned char)data->bytes[0] == 0x1f &&
        (unsigned char)data->bytes[1] == 0x8b) {
        data->packed = dj_inflate_create();
    }
    data->begun = true;
    if (data->packed == NULL) {
        return read_unpacked(data, data->bytes, length, err);
    }
    int code =
        dj_inflate_read(data->packed, data->bytes, length, read_unpacked, data, err);
    if (code == DJ_E_INVALID) {
        note_fault(data, "the compressed data is damaged");
        return 0;
    }
    return code;
}

static int decode_character(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* Decodes a base64 character, which has six bits. In a group of four characters, each
 * character except the first one completes a byte. */
static void decode_value(struct dj_viewer_data *data, int value)
{
    data->bits = data->bits << 6 | (uint32_t)value;
    data->characters = (uint8_t)((data->characters + 1) % 4);
    if (data->characters != 1) {
        unsigned left = data->characters == 0 ? 0 : 8U - 2U * data->characters;
        data->bytes[data->length++] = (char)(data->bits >> left);
        data->bits &= (1U << left) - 1;
    }
}

static int read_base64(struct dj_viewer_data *data, const char *bytes, size_t length,
                       struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < length && code == 0; i++, data->consumed++) {
        int value = decode_character(bytes[i]);
        bool space = bytes[i] == '\n' || bytes[i] == '\r' || bytes[i] == ' ' ||
                     bytes[i] == '\t' || bytes[i] == '=';
        if (data->broken) {
            break;
        }
        if (value >= 0) {
            decode_value(data, value);
        } else if (!space) {
            code = flush_bytes(data, err);
            note_fault(data, "expected a base64 character");
        }
        if (data->length == PIECE) {
            code = flush_bytes(data, err);
        }
    }
    return code;
}

static int end_viewer(struct dj_viewer_data *data, struct dj_error *err)
{
    int code = flush_bytes(data, err);
    if (data->packed != NULL && !data->broken && !dj_inflate_has_ended(data->packed)) {
        note_fault(data, "the compressed data is truncated");
    }
    return code != 0 ? code : dj_text_input_end(&data->input, err);
}

static struct dj_text_summary get_viewer_summary(const struct dj_viewer_data *data)
{
    struct dj_text_summary summary = {.unreadable = data->unreadable};
    struct dj_text_summary input = dj_text_input_get_summary(&data->input);
    snprintf(summary.damage, sizeof(summary.damage), "%s", data->damage);
    dj_text_summary_add(&summary, &input, "viewer-data");
    return summary;
}

static const struct dj_viewer_reader viewer_reader = {
    create_viewer, destroy_viewer, read_base64, end_viewer, get_viewer_summary};

static int read_started(struct dj_text_input *input, const char *bytes, size_t length,
                        struct dj_error *err)
{
    return input->json != NULL ? dj_chrome_reader_read(input->json, bytes, length, err)
                               : dj_ftrace_text_read(&input->text, bytes, length, err);
}

static int start_reader(struct dj_text_input *input, bool json, size_t mark,
                        struct dj_error *err)
{
    input->begun = true;
    if (json) {
        input->json = dj_chrome_reader_create(input->events);
    } else {
        input->text.sink =
            input->part ? dj_chrome_events_get_merging_sink(input->events) : input->sink;
        input->text.part = input->part;
        input->text.events = input->part ? NULL : input->events;
        input->text.viewer_reader = &viewer_reader;
    }
    return read_started(input, input->head + mark, input->head_length - mark, err);
}

/* Returns 1 if the input is JSON, 0 if it is not, and −1 if too few bytes are known. Sets
 * *mark to the length of a UTF-8 byte order mark at the start, or to 0. */
static int sniff_json(const struct dj_text_input *input, size_t *mark)
{
    static const char utf8[] = "\xEF\xBB\xBF";
    size_t length = sizeof(utf8) - 1;
    size_t known = input->head_length < length ? input->head_length : length;
    *mark = memcmp(input->head, utf8, known) == 0 ? known : 0;
    return *mark > 0 && *mark < length
               ? -1
               : dj_chrome_reader_sniff(input->head + *mark, input->head_length - *mark);
}

/* Stores the first bytes in input->head until they are sufficient to determine the
 * format. */
int dj_text_input_read(struct dj_text_input *input, const char *bytes, size_t length,
                       struct dj_error *err)
{
    if (!input->begun) {
        size_t room = sizeof(input->head) - input->head_length;
        size_t consumed = length < room ? length : room;
        size_t mark;
        memcpy(input->head + input->head_length, bytes, consumed);
        input->head_length += consumed;
        bytes += consumed;
        length -= consumed;
        int json = sniff_json(input, &mark);
        if (json < 0 && input->head_length < sizeof(input->head)) {
            return 0;
        }
        int code = start_reader(input, json > 0, json > 0 ? mark : 0, err);
        if (code != 0) {
            return code;
        }
    }
    return length > 0 ? read_started(input, bytes, length, err) : 0;
}

int dj_text_input_end(struct dj_text_input *input, struct dj_error *err)
{
    int code = input->begun ? 0 : start_reader(input, false, 0, err);
    if (code != 0) {
        return code;
    }
    return input->json != NULL ? dj_chrome_reader_end(input->json, err)
                               : dj_ftrace_text_end(&input->text, err);
}

void dj_text_input_finish(struct dj_text_input *input)
{
    dj_chrome_reader_destroy(input->json);
    input->json = NULL;
    dj_ftrace_text_finish(&input->text);
}

struct dj_text_summary dj_text_input_get_summary(const struct dj_text_input *input)
{
    return input->json != NULL ? dj_chrome_reader_get_summary(input->json)
                               : dj_ftrace_text_get_summary(&input->text);
}
