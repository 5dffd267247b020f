#include "trace/chrome_read.h"

#include <stdio.h>
#include <stdlib.h>

#include "memory/memory.h"
#include "trace/inflate.h"
#include "trace/text_input.h"

enum { PIECE = 1 << 13 };

struct dj_viewer_data {
    struct dj_text_input input;
    struct dj_inflate *packed; /* NULL: not compressed, or not yet known; owned */
    bool begun;
    uint32_t bits;      /* bits of base64 characters that do not form a byte yet */
    uint8_t characters; /* number of characters of the current group of four */
    uint64_t taken;     /* characters read so far */
    uint64_t strange;
    char damage[160];
    bool broken; /* the rest cannot be read */
    size_t length;
    char bytes[PIECE];
};

struct dj_viewer_data *dj_viewer_data_create(struct dj_chrome_events *events)
{
    struct dj_viewer_data *data = dj_xcalloc(1, sizeof(*data));
    data->input =
        (struct dj_text_input){.sink = events->sink, .events = events, .part = true};
    return data;
}

void dj_viewer_data_destroy(struct dj_viewer_data *data)
{
    if (data != NULL) {
        dj_text_input_finish(&data->input);
        dj_inflate_finish(data->packed);
        free(data);
    }
}

static void note_fault(struct dj_viewer_data *data, const char *fault)
{
    data->broken = true;
    if (data->strange++ == 0) {
        snprintf(data->damage, sizeof(data->damage),
                 "character %llu of the page's data: %s", (unsigned long long)data->taken,
                 fault);
    }
}

static int take_unfolded(void *user, const char *bytes, size_t length,
                         struct dj_error *err)
{
    struct dj_viewer_data *data = user;
    return dj_text_input_take(&data->input, bytes, length, err);
}

/* Passes on the decoded bytes. */
static int flush(struct dj_viewer_data *data, struct dj_error *err)
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
        return take_unfolded(data, data->bytes, length, err);
    }
    int code =
        dj_inflate_take(data->packed, data->bytes, length, take_unfolded, data, err);
    if (code == DJ_E_INVALID) {
        note_fault(data, "what is compressed in it is damaged");
        return 0;
    }
    return code;
}

static int value_of(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* Each of four characters has six bits. From the second one on, they complete bytes. */
static void put_value(struct dj_viewer_data *data, int value)
{
    data->bits = data->bits << 6 | (uint32_t)value;
    data->characters = (uint8_t)((data->characters + 1) % 4);
    if (data->characters != 1) {
        unsigned left = data->characters == 0 ? 0 : 8U - 2U * data->characters;
        data->bytes[data->length++] = (char)(data->bits >> left);
        data->bits &= (1U << left) - 1;
    }
}

int dj_viewer_data_take(struct dj_viewer_data *data, const char *bytes, size_t length,
                        struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < length && code == 0; i++, data->taken++) {
        int value = value_of(bytes[i]);
        bool space = bytes[i] == '\n' || bytes[i] == '\r' || bytes[i] == ' ' ||
                     bytes[i] == '\t' || bytes[i] == '=';
        if (data->broken) {
            break;
        }
        if (value >= 0) {
            put_value(data, value);
        } else if (!space) {
            code = flush(data, err);
            note_fault(data, "it is not of base64");
        }
        if (data->length == PIECE) {
            code = flush(data, err);
        }
    }
    return code;
}

int dj_viewer_data_end(struct dj_viewer_data *data, struct dj_error *err)
{
    int code = flush(data, err);
    if (data->packed != NULL && !data->broken && !dj_inflate_ended(data->packed)) {
        note_fault(data, "the end of what is compressed in it is not there");
    }
    return code != 0 ? code : dj_text_input_end(&data->input, err);
}

struct dj_trace_told dj_viewer_data_told(const struct dj_viewer_data *data)
{
    struct dj_trace_told told = {.strange = data->strange};
    struct dj_trace_told input = dj_text_input_told(&data->input);
    snprintf(told.damage, sizeof(told.damage), "%s", data->damage);
    dj_trace_told_add(&told, &input, "viewer-data");
    return told;
}
