#include "trace/perf/script_line.h"

#include "trace/text/numbers.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_hex(char c)
{
    return dj_number_parse_digit(c) < 16;
}

/* Removes the last word of the text and returns it. */
static struct dj_str cut_last_word(struct dj_str *text)
{
    const char *end = text->at + text->length;
    const char *at = end;
    while (at > text->at && !is_blank(at[-1])) {
        at--;
    }
    *text = dj_str_trim(dj_str_between(text->at, at));
    return dj_str_between(at, end);
}

static bool parse_id(struct dj_str text, int32_t *id)
{
    int64_t number;
    bool parsed = dj_number_parse_int(text, &number) && number >= -1 &&
                  number <= INT32_MAX && text.length < 12;
    if (parsed) {
        *id = (int32_t)number;
    }
    return parsed;
}

/* Parses "4243" or "4242/4243". */
static bool parse_ids(struct dj_str word, struct dj_perf_head *head)
{
    const char *slash = word.length > 0 ? memchr(word.at, '/', word.length) : NULL;
    head->pid = -1;
    if (slash == NULL) {
        return parse_id(word, &head->tid);
    }
    return parse_id(dj_str_between(word.at, slash), &head->pid) &&
           parse_id(dj_str_between(slash + 1, word.at + word.length), &head->tid);
}

/* Returns true for the letters of the field "misc", for example "K" or "Sp". */
static bool are_letters(struct dj_str word)
{
    enum { MOST = 4 };
    for (size_t i = 0; i < word.length; i++) {
        if (memchr("KUHGgMESDp", word.at[i], 10) == NULL) {
            return false;
        }
    }
    return word.length > 0 && word.length <= MOST;
}

/* Parses the text before the time: "my app  4242/4243  [001] K". The name may contain
 * anything, so the text is parsed from its end. */
static bool parse_thread(struct dj_str text, struct dj_perf_head *head)
{
    int64_t cpu;
    text = dj_str_trim(text);
    struct dj_str word = cut_last_word(&text);
    head->cpu = -1;
    if (are_letters(word)) {
        word = cut_last_word(&text);
    }
    if (word.length > 2 && word.at[0] == '[' && word.at[word.length - 1] == ']') {
        if (!dj_number_parse_int((struct dj_str){word.at + 1, word.length - 2}, &cpu) ||
            cpu < 0 || cpu > INT32_MAX) {
            return false;
        }
        head->cpu = (int32_t)cpu;
        word = cut_last_word(&text);
    }
    head->comm = text;
    return parse_ids(word, head);
}

/* Parses the text after the time: "  1000000 cpu-clock:ppp: ". */
static bool parse_event(struct dj_str text, struct dj_perf_head *head)
{
    int64_t period;
    struct dj_perf_frame frame;
    text = dj_str_trim(text);
    head->period = 0;
    head->event = head->record = head->rest = (struct dj_str){"", 0};
    if (dj_str_begins(text, "PERF_RECORD_")) {
        head->record = dj_str_until(text, " :");
        head->rest = dj_str_from(text, head->record.length);
        return true;
    }
    const char *digits = text.at;
    const char *end = text.at + text.length;
    const char *after = dj_line_find_digits_end(digits, end);
    if (after > digits && after < end && is_blank(*after) &&
        dj_number_parse_int(dj_str_between(digits, after), &period)) {
        head->period = period;
        text = dj_str_trim(dj_str_between(after, end));
    }
    if (text.length == 0) {
        return true;
    }
    for (const char *at = text.at; at < end && !is_blank(*at); at++) {
        if (*at == ':' && at > text.at && (at + 1 == end || is_blank(at[1]))) {
            head->event = dj_str_between(text.at, at);
            head->rest = dj_str_trim(dj_str_between(at + 1, end));
            return true;
        }
    }
    head->rest = text;
    return head->period == 0 && dj_perf_script_read_frame(text, &frame) &&
           frame.symbol.length > 0;
}

/* Returns the start of a time such as "513.032185" or "513.032185123" that ends at `end`,
 * or NULL if there is none. */
static const char *find_time(const char *begin, const char *end)
{
    enum { MICROSECONDS = 6, NANOSECONDS = 9 };
    const char *decimals = dj_line_find_digits_before(begin, end);
    if (decimals == NULL || decimals == begin || decimals[-1] != '.' ||
        (end - decimals != MICROSECONDS && end - decimals != NANOSECONDS)) {
        return NULL;
    }
    const char *seconds = dj_line_find_digits_before(begin, decimals - 1);
    return seconds != NULL && seconds > begin && is_blank(seconds[-1]) ? seconds : NULL;
}

bool dj_perf_script_read_head(struct dj_str line, struct dj_perf_head *head)
{
    const char *end = line.at + line.length;
    for (const char *at = line.at;
         line.length > 0 && (at = memchr(at, ':', (size_t)(end - at))) != NULL; at++) {
        const char *time = find_time(line.at, at);
        if (time != NULL && (at + 1 == end || is_blank(at[1])) &&
            parse_thread(dj_str_between(line.at, time), head) &&
            parse_event(dj_str_between(at + 1, end), head) &&
            dj_number_parse_decimal(dj_str_between(time, at), 1000000000, &head->at_ns)) {
            return true;
        }
    }
    return false;
}

/* Returns the end of an offset such as "+0x1f" that begins at `at`, or NULL. */
static const char *find_offset_end(const char *at, const char *end)
{
    const char *digits = at + 3;
    if (end - at <= 3 || memcmp(at, "+0x", 3) != 0 || !is_hex(*digits)) {
        return NULL;
    }
    while (digits < end && is_hex(*digits)) {
        digits++;
    }
    return digits;
}

/* Removes an offset such as "+0x1f" from the end of the text. */
static struct dj_str remove_offset(struct dj_str text)
{
    const char *end = text.at + text.length;
    const char *at = end;
    while (at > text.at && is_hex(at[-1])) {
        at--;
    }
    return at - text.at > 3 && at < end && memcmp(at - 3, "+0x", 3) == 0
               ? dj_str_between(text.at, at - 3)
               : text;
}

/* Returns the parenthesis that begins the file, or NULL if the text does not end with a
 * file in parentheses. Names of functions and of files may contain parentheses too. */
static const char *find_module(struct dj_str text)
{
    const char *end = text.at + text.length;
    size_t depth = 0;
    if (text.length < 2 || end[-1] != ')') {
        return NULL;
    }
    for (const char *at = text.at; (at = memchr(at, '+', (size_t)(end - at))) != NULL;
         at++) {
        const char *after = find_offset_end(at, end);
        if (after != NULL && end - after > 2 && after[0] == ' ' && after[1] == '(') {
            return after + 1;
        }
    }
    for (const char *at = end; at > text.at; at--) {
        depth += at[-1] == ')';
        depth -= at[-1] == '(';
        if (depth == 0) {
            return at - 1 == text.at || is_blank(at[-2]) ? at - 1 : NULL;
        }
    }
    return NULL;
}

bool dj_perf_script_read_frame(struct dj_str line, struct dj_perf_frame *frame)
{
    enum { MOST_DIGITS = 16 };
    struct dj_str text = dj_str_trim(line);
    size_t digits = 0;
    while (digits < text.length && is_hex(text.at[digits])) {
        digits++;
    }
    if (digits == 0 || digits > MOST_DIGITS ||
        (digits < text.length && !is_blank(text.at[digits]))) {
        return false;
    }
    *frame = (struct dj_perf_frame){.symbol = {"", 0}, .module = {"", 0}};
    for (size_t i = 0; i < digits; i++) {
        frame->address =
            frame->address << 4 | (uint64_t)dj_number_parse_digit(text.at[i]);
    }
    text = dj_str_trim(dj_str_from(text, digits));
    const char *module = find_module(text);
    if (module != NULL) {
        frame->module = dj_str_between(module + 1, text.at + text.length - 1);
        text = dj_str_trim(dj_str_between(text.at, module));
        frame->inlined = dj_str_is(frame->module, "inlined");
        frame->module = remove_offset(frame->module);
    }
    frame->symbol = dj_str_is(text, "[unknown]") ? (struct dj_str){"", 0}
                                                 : dj_str_trim(remove_offset(text));
    if (frame->inlined || dj_str_is(frame->module, "[unknown]")) {
        frame->module = (struct dj_str){"", 0};
    }
    return true;
}
