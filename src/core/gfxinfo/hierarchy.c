/* The "View hierarchy:" of a process: prints and reads how many views each window has.
 * For example:
 *
 *   View hierarchy:
 *
 *     com.x/com.x.Main/android.view.ViewRootImpl@1d5ddd6
 *     47 views, 74.63 kB of render nodes
 *
 *
 *   Total ViewRootImpl   : 1
 *   Total attached Views : 47
 *   Total RenderNode     : 74.63 kB (used) / 180.00 kB (capacity) */
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/grammar.h"
#include "gfxinfo/print_private.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

enum {
    /* First API level that prints "render nodes" and aligns the totals. */
    FIRST_API_OF_NODES = 30,
    /* Maximum number of windows to which a view count is compared. Windows without a view
     * count are between two windows with one. */
    ROOTS_AHEAD = 64
};

static const char word_views[] = " views, ";

/* Returns the memory of a window's views, or 0 if unknown. */
static double get_views_kb(const struct dj_dump_window *window)
{
    return window->views_kb > 0 ? window->views_kb : 0;
}

static void print_totals(struct dj_text *text, size_t roots, uint64_t views, double kb,
                         bool nodes)
{
    const char *form = nodes ? "\nTotal ViewRootImpl   : %zu\nTotal attached Views : %llu"
                               "\nTotal RenderNode     : %.2f kB (used)"
                             : "\nTotal ViewRootImpl: %zu\nTotal Views:        %llu"
                               "\nTotal DisplayList:  %.2f kB";
    dj_text_format(text, form, roots, (unsigned long long)views, kb);
    if (nodes) {
        dj_text_format(text, " / %.2f kB (capacity)", kb);
    }
    dj_text_add(text, "\n\n");
}

void dj_gfxinfo_print_hierarchy(struct dj_text *text,
                                const struct dj_dump_process *process,
                                const struct dj_dialect *dialect)
{
    bool nodes = dialect->api >= FIRST_API_OF_NODES;
    size_t roots = 0;
    uint64_t views = 0;
    double kb = 0;
    bool unknown = false;
    for (size_t i = 0; i < process->window_count; i++) {
        const struct dj_dump_window *window = &process->windows[i];
        if (window->views == 0) {
            continue;
        }
        if (roots++ == 0) {
            dj_text_add(text, "\n" DJ_HIERARCHY "\n\n");
        }
        dj_text_add(text, "  ");
        dj_gfxinfo_print_name(text, window->title != NULL ? window->title : "");
        dj_text_format(text, "\n  %u%s%.2f kB of %s\n\n", window->views, word_views,
                       get_views_kb(window), nodes ? "render nodes" : "display lists");
        views += window->views;
        kb += get_views_kb(window);
        unknown = unknown || window->views_kb < 0;
    }
    if (roots > 0) {
        print_totals(text, roots, views, kb, nodes);
    }
    if (unknown) {
        dj_text_add(text, DJ_NOTE " " DJ_NOTE_NO_VIEW_MEMORY "\n");
    }
}

/* Reads "47 views, 74.63 kB of …". */
static bool scan_views(struct dj_str line, uint32_t *views, double *kb)
{
    dj_scan_blanks(&line);
    return dj_scan_uint32(&line, views) && dj_scan_word(&line, word_views) &&
           dj_scan_decimal(&line, kb) && dj_scan_word(&line, " kB of ");
}

/* Returns whether the next line is a view count. Returns false if the next line is not
 * available yet. If it is a view count, the current line is a window title, even if it
 * looks like another line. */
static bool is_views_line_next(const struct dj_reader *reader)
{
    uint32_t views;
    double kb;
    size_t left = (size_t)(reader->end - reader->at);
    const char *newline = left > 0 ? memchr(reader->at, '\n', left) : NULL;
    struct dj_str next = {reader->at,
                          newline != NULL ? (size_t)(newline - reader->at) : left};
    return left > 0 &&
           scan_views(dj_reader_strip(dj_reader_remove_quote(reader, next)), &views, &kb);
}

/* Returns whether `root` is the title of the window. Both are compared without quote
 * marks, because a quote mark may be part of a title. */
static bool is_title(const struct dj_dump_window *window, const char *root)
{
    const char *title = window->title != NULL ? window->title : "";
    return dj_str_is(dj_reader_strip(dj_str_of(title)), root);
}

/* Sets the view count of the window with the title in reader->root. The view hierarchy
 * has the same order as the windows, so the search starts after the last window found. */
static void assign_root(struct dj_reader *reader, uint32_t views, double kb)
{
    struct dj_dump_process *process = reader->process;
    for (size_t i = reader->roots;
         i < process->window_count && i < reader->roots + ROOTS_AHEAD; i++) {
        struct dj_dump_window *window = &process->windows[i];
        if (is_title(window, reader->root)) {
            window->views = views;
            window->views_kb = kb;
            reader->roots = i + 1;
            return;
        }
    }
}

bool dj_reader_read_hierarchy_line(struct dj_reader *reader, struct dj_str line,
                                   struct dj_str unquoted)
{
    uint32_t views;
    double kb;
    if (!reader->in_hierarchy || reader->process == NULL) {
        return false;
    }
    bool counted = reader->root != NULL && scan_views(line, &views, &kb);
    if (counted) {
        assign_root(reader, views, kb);
    }
    free(reader->root);
    reader->root = NULL;
    if (!counted) {
        dj_reader_set_string(reader, &reader->root, line);
    }
    if (counted || is_views_line_next(reader)) {
        dj_reader_add_section_line(reader, unquoted);
        return true;
    }
    return false;
}

void dj_reader_clear_view_memory(struct dj_dump_process *process)
{
    for (size_t i = 0; i < process->window_count; i++) {
        if (process->windows[i].views > 0 && !(process->windows[i].views_kb > 0)) {
            process->windows[i].views_kb = -1;
        }
    }
}
