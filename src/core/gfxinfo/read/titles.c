#include <stdlib.h>
#include <string.h>

#include "gfxinfo/grammar.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

/* Splits "TITLE (visibility=0)". */
static bool split_title(struct dj_str line, struct dj_str *title, int *visibility)
{
    if (line.length == 0 || line.at[line.length - 1] != ')') {
        return false;
    }
    const char *open = memrchr(line.at, '(', line.length);
    if (open == NULL) {
        return false;
    }
    struct dj_str rest = dj_str_between(open, line.at + line.length);
    int64_t number;
    if (!dj_scan_word(&rest, &DJ_VISIBILITY[1]) || !dj_scan_number(&rest, &number) ||
        rest.length != 1 || number < -1 || number > 255) {
        return false;
    }
    *visibility = (int)number;
    *title = dj_str_between(line.at, open);
    title->length -= title->length > 0 && title->at[title->length - 1] == ' ';
    return true;
}

bool dj_reader_ends_with_visibility(struct dj_str line)
{
    struct dj_str title;
    int visibility;
    return split_title(line, &title, &visibility);
}

static struct dj_str remove_indentation(struct dj_str line)
{
    dj_scan_blanks(&line);
    return line;
}

/* Returns whether the line is a title of Android 4, such as
 * "com.x/com.x.Main/android.view.ViewRootImpl@4273b328". Such lines are titles only in
 * the list of windows, because the view hierarchy contains the same text. */
static bool is_old_title(const struct dj_reader *reader, struct dj_str line)
{
    const char *at = memrchr(line.at, '@', line.length);
    const char *end = line.at + line.length;
    if (!reader->in_windows || at == NULL || memchr(line.at, '/', line.length) == NULL ||
        end - at < 2 || end - at > 17) {
        return false;
    }
    for (at++; at < end; at++) {
        unsigned letter = (unsigned char)*at | 0x20U;
        if (!dj_gfxinfo_is_digit(*at) && (letter < 'a' || letter > 'f')) {
            return false;
        }
    }
    return true;
}

/* hwui prints a tab before a title. The tab distinguishes the title "Window: x
 * (visibility=0)" from a line with the title of a statistics block. */
bool dj_reader_is_title(const struct dj_reader *reader, struct dj_str line, bool other)
{
    struct dj_str bare = remove_indentation(line);
    struct dj_str title;
    int visibility;
    return (!other || line.at[0] == '\t') &&
           (split_title(bare, &title, &visibility) || is_old_title(reader, bare));
}

/* Returns whether the window has only a title, without visibility and without any other
 * data. The title is then a title of Android 4 or the first part of a wrapped title. */
static bool is_title_alone(const struct dj_dump_window *window)
{
    return window != NULL && window->title != NULL && window->visibility < 0 &&
           window->stats_title == NULL && !window->stats.present && !window->has_frames &&
           !window->has_profile;
}

static void set_joined_title(struct dj_reader *reader, char **title, struct dj_str rest)
{
    struct dj_text joined = {0};
    dj_text_add(&joined, *title);
    dj_reader_append(reader, &joined, rest);
    dj_reader_set_string(reader, title, dj_text_str(&joined));
    dj_text_finish(&joined);
}

enum {
    /* Maximum size in bytes of a wrapped title without its last line. */
    MOST_BEGINNING = 1024
};

/* Returns whether the text is the beginning of " (visibility=0", or this whole text. */
static bool begins_visibility(struct dj_str rest)
{
    static const char word[] = DJ_VISIBILITY;
    size_t most = sizeof(word) - 1;
    for (size_t i = most; i < rest.length; i++) {
        if (!dj_gfxinfo_is_digit(rest.at[i])) {
            return false;
        }
    }
    return memcmp(rest.at, word, rest.length < most ? rest.length : most) == 0;
}

static bool has_inner_blank(struct dj_str line)
{
    dj_scan_blanks(&line);
    while (line.length > 0 && !dj_scan_is_blank(line.at[0])) {
        line = dj_str_from(line, 1);
    }
    return line.length > 0 && !begins_visibility(line);
}

/* Finds the beginning of a wrapped title, whose last line is `line`, in the stored text.
 * Returns the offset of the beginning, or the length of the stored text if there is none.
 * The title begins at a tab. If the tab was replaced with blanks, all stored text must be
 * lines without inner blanks, and the title begins at offset 0. */
static size_t find_beginning(const struct dj_reader *reader, struct dj_str line)
{
    const char *text = reader->section.data;
    size_t length = reader->section.length;
    bool words = reader->in_windows;
    size_t end = length;
    while (line.at[0] != '\t' && end > 0 && length - end < MOST_BEGINNING) {
        const char *newline = memrchr(text, '\n', end);
        size_t from = newline != NULL ? (size_t)(newline - text) + 1 : 0;
        words = words && !has_inner_blank(dj_str_between(text + from, text + end));
        if (text[from] == '\t' || (from == 0 && words)) {
            return from;
        }
        end = from > 0 ? from - 1 : 0;
    }
    return length;
}

/* Joins the stored text from offset `from` and the line to one line without newlines. */
static struct dj_text join_lines(struct dj_reader *reader, size_t from,
                                 struct dj_str line)
{
    struct dj_text joined = {0};
    for (size_t i = from; i < reader->section.length; i++) {
        if (reader->section.data[i] != '\n') {
            dj_text_append(&joined, &reader->section.data[i], 1);
        }
    }
    dj_reader_append(reader, &joined, line);
    return joined;
}

static void add_section_title(struct dj_reader *reader, struct dj_str line)
{
    struct dj_str title = remove_indentation(line);
    int visibility = -1;
    bool whole = split_title(title, &title, &visibility);
    bool beginning = line.length > 0 && line.at[0] == '\t';
    if (whole && !beginning && is_title_alone(reader->window)) {
        reader->window->visibility = visibility;
        set_joined_title(reader, &reader->window->title, title);
        return;
    }
    struct dj_dump_window *window = dj_reader_next_window(reader);
    if (window != NULL) {
        window->visibility = visibility;
        if (title.length > 0) {
            dj_reader_set_string(reader, &window->title, title);
        }
    }
}

void dj_reader_read_title(struct dj_reader *reader, struct dj_str line)
{
    size_t from = find_beginning(reader, line);
    struct dj_text joined = join_lines(reader, from, line);
    reader->section.length = from > 0 && from < reader->section.length ? from - 1 : from;
    dj_reader_close_section(reader);
    add_section_title(reader, dj_text_str(&joined));
    dj_text_finish(&joined);
}

/* Returns whether the line is the rest of the hexadecimal hash at the end of a title.
 * Android 4 prints nothing after the hash. */
static bool continues_hash(const struct dj_reader *reader, struct dj_str line)
{
    struct dj_text joined = {0};
    if (!reader->in_windows || reader->section.length > 0 || line.length > 15 ||
        !is_title_alone(reader->window)) {
        return false;
    }
    dj_text_add(&joined, reader->window->title);
    bool before = is_old_title(reader, dj_text_str(&joined));
    dj_text_append(&joined, line.at, line.length);
    bool after = is_old_title(reader, dj_text_str(&joined));
    dj_text_finish(&joined);
    return before && after;
}

bool dj_reader_read_wrapped_title(struct dj_reader *reader, struct dj_str line)
{
    struct dj_str title;
    int visibility;
    char last = line.at[line.length - 1];
    bool letter = dj_gfxinfo_is_digit(last) || (last >= 'a' && last <= 'f');
    if (last != ')' && !(reader->in_windows && letter)) {
        return false;
    }
    if (continues_hash(reader, line)) {
        set_joined_title(reader, &reader->window->title, line);
        return true;
    }
    size_t from = find_beginning(reader, line);
    if (from == reader->section.length) {
        return false;
    }
    struct dj_text joined = join_lines(reader, from, line);
    struct dj_str all = dj_text_str(&joined);
    bool titled = split_title(all, &title, &visibility) ||
                  is_old_title(reader, remove_indentation(all));
    dj_text_finish(&joined);
    if (titled) {
        dj_reader_read_title(reader, line);
    }
    return titled;
}

void dj_reader_add_truncated_title(struct dj_reader *reader)
{
    static const char view[] = "/android.view.";
    if (!reader->in_windows || reader->ending || reader->process == NULL ||
        reader->section.length == 0 || reader->section.length > MOST_BEGINNING) {
        return;
    }
    struct dj_text joined = join_lines(reader, 0, (struct dj_str){"", 0});
    struct dj_str title = remove_indentation(dj_text_str(&joined));
    const char *found = memmem(title.at, title.length, view, sizeof(view) - 1);
    const char *blank = memchr(title.at, ' ', title.length);
    if (found != NULL && (blank == NULL || found < blank)) {
        dj_reader_warn_at(reader, reader->section_place,
                          "a window title is truncated or wrapped");
        dj_text_clear(&reader->section);
        add_section_title(reader, dj_text_str(&joined));
    }
    dj_text_finish(&joined);
}

void dj_reader_open_name(struct dj_reader *reader, struct dj_str name)
{
    reader->name_open = true;
    reader->name_place = dj_reader_get_place(reader);
    dj_reader_set_string(reader, &reader->process->name, name);
}

/* Reads the second line of a process header that was broken into two lines, such as
 * "ncher] **". Rejects a line with a blank before the bracket, because process names
 * contain no blanks. */
bool dj_reader_continue_name(struct dj_reader *reader, struct dj_str line)
{
    const char *close = memchr(line.at, ']', line.length);
    if (!reader->name_open || reader->process == NULL || reader->failed) {
        return false;
    }
    bool end = close != NULL && line.at[line.length - 1] == '*' &&
               memchr(line.at, ' ', (size_t)(close - line.at)) == NULL;
    if (!end) {
        dj_reader_close_name(reader);
        return false;
    }
    const char *from =
        reader->process->name[0] == '\0' && line.at[0] == '[' ? line.at + 1 : line.at;
    set_joined_title(reader, &reader->process->name, dj_str_between(from, close));
    reader->name_open = false;
    return true;
}

void dj_reader_close_name(struct dj_reader *reader)
{
    if (reader->name_open && reader->process != NULL) {
        dj_reader_warn_at(reader, reader->name_place,
                          "truncated process header: the process name may be incomplete");
        if (reader->process->name != NULL && reader->process->name[0] == '\0') {
            free(reader->process->name);
            reader->process->name = NULL;
        }
    }
    reader->name_open = false;
}
