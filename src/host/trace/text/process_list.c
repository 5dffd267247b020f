#include "trace/text/ftrace.h"

#include <string.h>

#include "trace/text/html_page.h"
#include "trace/text/numbers.h"

enum list {
    LIST_NONE,
    LIST_PROCESSES, /* A list with the columns USER PID PPID … [S] NAME [COMM]. */
    LIST_THREADS    /* A list with the columns USER PID TID CMD. */
};

/* Removes the first word from *text, with the blanks before it. Returns false if there is
 * no word. */
static bool read_word(struct dj_str *text, struct dj_str *word)
{
    *word = dj_line_skip_indent(*text);
    *text = *word;
    while (text->length > 0 && *text->at != ' ' && *text->at != '\t') {
        text->at++;
        text->length--;
    }
    word->length -= text->length;
    *text = dj_line_skip_indent(*text);
    return word->length > 0;
}

static bool read_header(struct dj_process_list *dump, struct dj_str line)
{
    struct dj_str word;
    uint8_t column = 0, name_column = 0, last = 0;
    bool threads = false, processes = false, state = false;
    while (column < UINT8_MAX && read_word(&line, &word)) {
        threads |= column == 2 && dj_str_is(word, "TID");
        processes |= column == 2 && dj_str_is(word, "PPID");
        state |= dj_str_is(word, "S");
        name_column = dj_str_is(word, "NAME") ? column : name_column;
        last = column++;
    }
    dump->list = threads                        ? LIST_THREADS
                 : processes && name_column > 0 ? LIST_PROCESSES
                                                : LIST_NONE;
    dump->name_column = name_column;
    dump->has_no_state_column = !state;
    dump->name_is_one_word = name_column < last;
    return dump->list != LIST_NONE;
}

/* Returns true if the word is the state of a process. Most rows contain a state, even in
 * old lists whose header does not name a column for the state. */
static bool is_state(struct dj_str word)
{
    return word.length == 1 && memchr("RSDTtZXIWP", word.at[0], 10) != NULL;
}

static bool read_row(const struct dj_process_list *dump, struct dj_str line,
                     struct dj_event *event)
{
    struct dj_str word;
    if (!read_word(&line, &word) || !read_word(&line, &word) ||
        !dj_number_parse_id(word, &event->pid)) {
        return false;
    }
    if (dump->list == LIST_THREADS) {
        bool fine = read_word(&line, &word) && dj_number_parse_id(word, &event->other);
        event->other_name = dj_line_trim(line);
        return fine;
    }
    event->other = event->pid;
    for (uint8_t column = 2; column < dump->name_column; column++) {
        if (!read_word(&line, &word)) {
            return false;
        }
    }
    event->name = dj_line_trim(line);
    bool more = read_word(&line, &word) && line.length > 0;
    if (more && dump->has_no_state_column && is_state(word)) {
        event->name = dj_line_trim(line);
        read_word(&line, &word);
    }
    if (dump->name_is_one_word) {
        event->name = word;
    }
    return event->name.length > 0;
}

/* Parses a path such as "/proc/1079/task/1080". The first slash may be missing. */
static bool read_path(struct dj_str line, struct dj_event *event)
{
    static const char between[] = "/task/";
    struct dj_str pid, tid;
    dj_line_skip_prefix(line, "/", &line);
    return dj_line_skip_prefix(line, "proc/", &pid) && dj_str_after(pid, between, &tid) &&
           dj_number_parse_id(dj_line_slice(pid.at, tid.at - (sizeof(between) - 1)),
                              &event->pid) &&
           dj_number_parse_id(tid, &event->other);
}

int dj_process_list_read_line(struct dj_process_list *dump, struct dj_str line,
                              struct dj_event_sink sink, bool *known)
{
    struct dj_event event = dj_event_make(DJ_EVENT_THREAD);
    if (dj_str_begins(line, "USER ")) {
        *known = read_header(dump, line);
        return 0;
    }
    *known = read_path(line, &event) ||
             (dump->list != LIST_NONE && read_row(dump, line, &event));
    return *known ? sink.take(sink.user, &event) : 0;
}
