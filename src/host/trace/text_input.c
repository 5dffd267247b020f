#include "trace/text_input.h"

#include <string.h>

static int take_begun(struct dj_text_input *input, const char *bytes, size_t length,
                      struct dj_error *err)
{
    return input->json != NULL ? dj_chrome_read_take(input->json, bytes, length, err)
                               : dj_ftrace_text_take(&input->text, bytes, length, err);
}

static int begin(struct dj_text_input *input, bool json, size_t mark,
                 struct dj_error *err)
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
    return take_begun(input, input->head + mark, input->head_length - mark, err);
}

/* Returns as dj_chrome_read_sniff(). Sets *mark to the length of the UTF-8 byte order
 * mark. */
static int sniff(const struct dj_text_input *input, size_t *mark)
{
    static const char utf8[] = "\xEF\xBB\xBF";
    size_t length = sizeof(utf8) - 1;
    size_t known = input->head_length < length ? input->head_length : length;
    *mark = memcmp(input->head, utf8, known) == 0 ? known : 0;
    return *mark > 0 && *mark < length
               ? -1
               : dj_chrome_read_sniff(input->head + *mark, input->head_length - *mark);
}

/* Collects the first bytes until they show the format. */
int dj_text_input_take(struct dj_text_input *input, const char *bytes, size_t length,
                       struct dj_error *err)
{
    if (!input->begun) {
        size_t room = sizeof(input->head) - input->head_length;
        size_t taken = length < room ? length : room;
        size_t mark;
        memcpy(input->head + input->head_length, bytes, taken);
        input->head_length += taken;
        bytes += taken;
        length -= taken;
        int json = sniff(input, &mark);
        if (json < 0 && input->head_length < sizeof(input->head)) {
            return 0;
        }
        int code = begin(input, json > 0, json > 0 ? mark : 0, err);
        if (code != 0) {
            return code;
        }
    }
    return length > 0 ? take_begun(input, bytes, length, err) : 0;
}

int dj_text_input_end(struct dj_text_input *input, struct dj_error *err)
{
    int code = input->begun ? 0 : begin(input, false, 0, err);
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
