/* Reads the titles of windows, and finds which windows the option --window selects. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "xpresent/session.h"

/* Maximum number of parents that are followed. No real tree of windows is deeper, so a
 * longer chain has a loop. */
enum { DEPTH_MAX = 64 };

static struct dj_xpresent_window *get_parent(const struct dj_xpresent_session *session,
                                             const struct dj_xpresent_window *window)
{
    return window->parent != 0 ? dj_xpresent_windows_find(session, window->parent) : NULL;
}

void dj_xpresent_titles_append(const struct dj_xpresent_session *session,
                               const struct dj_xpresent_window *window,
                               struct dj_text *title)
{
    const struct dj_xpresent_window *at = window;
    for (int i = 0; i < DEPTH_MAX && at != NULL && at->title[0] == '\0'; i++) {
        at = get_parent(session, at);
    }
    if (at != NULL && at->title[0] != '\0') {
        dj_text_add(title, at->title);
    } else {
        dj_text_format(title, "X window 0x%" PRIx32, window->id);
    }
}

/* Returns whether the text matches the title or the id of the window itself. */
static bool is_match(const struct dj_xpresent_window *window, const char *text)
{
    char *end;
    unsigned long id = strncmp(text, "0x", 2) == 0 ? strtoul(text, &end, 16) : 0;
    bool is_id = id != 0 && *end == '\0';
    return is_id ? id == window->id
                 : window->title[0] != '\0' && strcasestr(window->title, text) != NULL;
}

/* Returns whether the window or one of its parents matches options->window. Parents
 * count, because a toolkit may present to a child of the window that has the title. */
static bool is_selected_by_title(struct dj_xpresent_session *session,
                                 struct dj_xpresent_window *window)
{
    if (window->match == DJ_XPRESENT_UNCHECKED) {
        const struct dj_xpresent_window *at = window;
        window->match = DJ_XPRESENT_DIFFERS;
        for (int i = 0; i < DEPTH_MAX && at != NULL; i++) {
            if (is_match(at, session->options->window)) {
                window->match = DJ_XPRESENT_MATCHES;
                session->has_matched = true;
            }
            at = get_parent(session, at);
        }
    }
    return window->match == DJ_XPRESENT_MATCHES;
}

bool dj_xpresent_titles_is_selected(struct dj_xpresent_session *session,
                                    struct dj_xpresent_window *window)
{
    return window->process != NULL &&
           (session->options->window != NULL ? is_selected_by_title(session, window)
                                             : window->process->is_selected);
}

/* Writes the title of a window to its segment. */
static void write_title(struct dj_xpresent_session *session,
                        const struct dj_xpresent_window *window)
{
    struct dj_segment_writer *writer = &window->process->writer;
    struct dj_window_writer *slot = dj_segment_find_window(writer, window->id);
    struct dj_text title = {0};
    dj_xpresent_titles_append(session, window, &title);
    if (slot != NULL) {
        dj_segment_set_title(slot, window->id, dj_xtext(&title));
    }
    dj_text_finish(&title);
}

void dj_xpresent_titles_update(struct dj_xpresent_session *session,
                               struct dj_xpresent_window *window)
{
    struct dj_text title = {0};
    dj_xpresent_display_read_title(&session->display, window->id, &title);
    free(window->title);
    window->title = dj_xtext_detach(&title);
    for (size_t i = 0; i < session->window_count; i++) {
        struct dj_xpresent_window *other = &session->windows[i];
        /* A window that was already recorded stays selected after its title has
         * changed. */
        if (other->match == DJ_XPRESENT_DIFFERS) {
            other->match = DJ_XPRESENT_UNCHECKED;
        }
        if (other->process != NULL && other->process->writer.header != NULL) {
            write_title(session, other);
        }
    }
}

size_t dj_xpresent_titles_count_matches(struct dj_xpresent_session *session)
{
    size_t count = 0;
    for (size_t i = 0; i < session->window_count; i++) {
        struct dj_xpresent_window *window = &session->windows[i];
        count += window->process != NULL &&
                 dj_xpresent_titles_is_selected(session, window) &&
                 is_match(window, session->options->window);
    }
    return count;
}
