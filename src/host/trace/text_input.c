#include "trace/text_input.h"

#include <string.h>

static int take_begun(struct dj_text_input *input, const char *bytes, size_t length,
                      struct dj_error *err)
{
    return input->json != NULL ? dj_chrome_read_take(input->json, bytes, length, err)
                               : dj_ftrace_text_take(&input->text, bytes, length, err);
}

static int begin(struct dj_text_input *input, bool json, struct dj_error *err)
{
    input->begun = true;
    if (json) {
        input->json = dj_chrome_read_create(input->events);
    } else {
        input->text.sink =
            input->part ? dj_chrome_events_between(input->events) : input->sink;
        input->text.part = input->part;
        input->text.events = input->part ? NULL : input->events;
    }
    return take_begun(input, input->head, input->head_length, err);
}

/* Collects the first bytes until they say what it is: how many were taken. */
static size_t take_head(struct dj_text_input *input, const char *bytes, size_t length)
{
    size_t room = sizeof(input->head) - input->head_length;
    size_t taken = length < room ? length : room;
    memcpy(input->head + input->head_length, bytes, taken);
    input->head_length += taken;
    return taken;
}

/* Bytes of the mark of UTF-8, which stands for nothing; −1: it may be one yet. */
static int mark_length(const struct dj_text_input *input)
{
    static const char mark[] = "\xEF\xBB\xBF";
    size_t length = sizeof(mark) - 1;
    size_t known = input->head_length < length ? input->head_length : length;
    return memcmp(input->head, mark, known) != 0 ? 0 : known < length ? -1 : (int)length;
}

static int sniff(const struct dj_text_input *input)
{
    int mark = mark_length(input);
    return mark < 0 ? -1
                    : dj_chrome_read_sniff(input->head + mark,
                                           input->head_length - (size_t)mark);
}

static void drop_mark(struct dj_text_input *input)
{
    size_t mark = (size_t)mark_length(input);
    input->head_length -= mark;
    memmove(input->head, input->head + mark, input->head_length);
}

int dj_text_input_take(struct dj_text_input *input, const char *bytes, size_t length,
                       struct dj_error *err)
{
    if (!input->begun) {
        size_t taken = take_head(input, bytes, length);
        int json = sniff(input);
        bytes += taken;
        length -= taken;
        if (json < 0 && input->head_length < sizeof(input->head)) {
            return 0;
        }
        if (json > 0) {
            drop_mark(input);
        }
        int code = begin(input, json > 0, err);
        if (code != 0) {
            return code;
        }
    }
    return length > 0 ? take_begun(input, bytes, length, err) : 0;
}

int dj_text_input_end(struct dj_text_input *input, struct dj_error *err)
{
    int code = input->begun ? 0 : begin(input, false, err);
    if (code != 0) {
        return code;
    }
    return input->json != NULL ? dj_chrome_read_end(input->json, err)
                               : dj_ftrace_text_end(&input->text, err);
}

void dj_text_input_finish(struct dj_text_input *input)
{
    dj_chrome_read_destroy(input->json);
    input->json = NULL;
    dj_ftrace_text_finish(&input->text);
}

struct dj_trace_told dj_text_input_told(const struct dj_text_input *input)
{
    return input->json != NULL ? dj_chrome_read_told(input->json)
                               : dj_ftrace_text_told(&input->text);
}
