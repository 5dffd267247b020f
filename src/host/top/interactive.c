#include "top/interactive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "top/screen.h"

/* Time between two drawings of the screen. Frames are read more often. */
#define DRAW_NS (200 * DJ_MILLISECOND_NS)

struct top {
    struct dj_top_views *views;
    char order[16];
    /* The rows of the table that are shown. Owned by this struct. */
    struct dj_live_row *rows;
    size_t row_count;
    const struct dj_live *selected; /* The selected app, or NULL if no row is selected. */
    /* Whether the user has selected an app. Otherwise the first app is selected. */
    bool is_chosen;
    bool is_open; /* Whether the screen shows only the selected app. */
    bool is_paused, is_over;
    size_t first; /* Index of the first line that is shown. */
    int64_t draw_ns;
};

static size_t find_selected(const struct top *top)
{
    for (size_t i = 0; i < top->row_count; i++) {
        if (top->rows[i].live == top->selected) {
            return i;
        }
    }
    return 0;
}

/* Keeps the selection on the app that the user has chosen. If there is none, or if it is
 * gone, selects the first one. */
static void update_rows(struct top *top)
{
    free(top->rows);
    top->rows = dj_top_views_create_rows(top->views, top->order, false, &top->row_count);
    size_t at = find_selected(top);
    bool is_gone = top->row_count == 0 || top->rows[at].live != top->selected;
    if (is_gone) {
        top->is_open = top->is_chosen = false;
    }
    if (!top->is_chosen) {
        top->selected = top->row_count > 0 ? top->rows[0].live : NULL;
    }
    if (top->views->app != NULL) {
        top->is_open = top->row_count > 0;
    }
}

/* Writes the list of keys, the most important key first, because a narrow screen cuts off
 * the last ones. */
static void write_status(const struct top *top, char *status, size_t size)
{
    const char *pause = top->is_paused ? "PAUSED  " : "";
    if (top->is_open && top->views->app != NULL) {
        snprintf(status, size, "%sq quit  p pause  ↑↓ scroll", pause);
    } else if (top->is_open) {
        snprintf(status, size, "%sq quit  Esc back  p pause  ↑↓ scroll", pause);
    } else {
        snprintf(status, size, "%sq quit  Enter open  p pause  s sort: %s", pause,
                 top->order);
    }
}

/* Replaces the arrows for a terminal without Unicode. */
static void respell_arrows(char *status)
{
    char *arrows = strstr(status, "↑↓");
    if (arrows != NULL) {
        memmove(arrows + 3, arrows + strlen("↑↓"), strlen(arrows + strlen("↑↓")) + 1);
        memcpy(arrows, "j/k", 3);
    }
}

/* Scrolls so that the selected line is visible, or so that the last page is full. */
static void scroll_to(struct top *top, const struct dj_top_picture *picture, int height)
{
    size_t shown =
        height > 2 + (int)picture->fixed ? (size_t)height - 1 - picture->fixed : 1;
    size_t count = picture->lines->count - picture->fixed;
    size_t most = count > shown ? count - shown : 0;
    if (picture->selected >= 0) {
        size_t at = (size_t)picture->selected - picture->fixed;
        top->first = top->first > at ? at : top->first;
        top->first = at >= top->first + shown ? at - shown + 1 : top->first;
    }
    top->first = top->first > most ? most : top->first;
}

static void draw(struct top *top)
{
    char status[160];
    int height;
    struct dj_live_screen lines = {0};
    const struct dj_terminal_style style = dj_top_screen_style(&height);
    struct dj_top_picture picture = {.lines = &lines, .selected = -1, .status = status};
    write_status(top, status, sizeof(status));
    if (!style.unicode) {
        respell_arrows(status);
    }
    if (top->is_open) {
        dj_report_live_add_app(&lines, &style, &top->rows[find_selected(top)]);
        picture.fixed = 1;
    } else if (top->views->app != NULL) {
        dj_report_live_add_waiting(&lines, &style, top->views->app);
    } else if (top->row_count == 0) {
        dj_report_live_add_no_app(&lines, &style, top->views->group.device == NULL);
    } else {
        dj_report_live_add_table(&lines, &style, top->rows, top->row_count);
        picture.fixed = 1;
        picture.selected = (int)find_selected(top) + 1;
    }
    scroll_to(top, &picture, height);
    picture.first = top->first;
    dj_top_screen_draw(&picture);
    dj_report_live_screen_finish(&lines);
}

static void move_by(struct top *top, int step)
{
    if (top->is_open) {
        top->first = step < 0 ? top->first - (top->first > 0) : top->first + 1;
    } else if (top->row_count > 0) {
        size_t at = find_selected(top);
        at = step < 0 ? at - (at > 0) : at + (at + 1 < top->row_count);
        top->selected = top->rows[at].live;
        top->is_chosen = true;
    }
}

/* Changes the sort order to the next one. */
static void change_order(struct top *top)
{
    const char *at = strstr(DJ_LIVE_ORDERS, top->order);
    at = at != NULL ? strchr(at, '|') : NULL;
    at = at != NULL ? at + 1 : DJ_LIVE_ORDERS;
    snprintf(top->order, sizeof(top->order), "%.*s", (int)strcspn(at, "|"), at);
}

static void handle_key(struct top *top, enum dj_top_key key)
{
    switch (key) {
    case DJ_TOP_QUIT:
        top->is_over = true;
        break;
    case DJ_TOP_UP:
    case DJ_TOP_DOWN:
        move_by(top, key == DJ_TOP_UP ? -1 : 1);
        break;
    case DJ_TOP_OPEN:
        top->is_open = top->is_chosen = top->selected != NULL;
        top->first = 0;
        break;
    case DJ_TOP_BACK:
        top->is_open = false;
        top->first = 0;
        break;
    case DJ_TOP_PAUSE:
        top->is_paused = !top->is_paused;
        break;
    case DJ_TOP_SORT:
        change_order(top);
        break;
    default:
        return;
    }
    update_rows(top);
    draw(top);
}

/* Reads the new frames, and draws the screen if it is time. Reads nothing while the
 * screen is paused, so that it keeps its frames. */
static int update(struct top *top, struct dj_error *err)
{
    int code = top->is_paused ? 0 : dj_top_views_update(top->views, err);
    int64_t now_ns = dj_host_now_ns();
    if (code == 0 && now_ns >= top->draw_ns) {
        if (!top->is_paused) {
            update_rows(top);
        }
        draw(top);
        top->draw_ns = now_ns + DRAW_NS;
    }
    return code;
}

int dj_top_run_interactive(struct dj_top_views *views, const char *order, int64_t end_ns,
                           const struct dj_interrupt_request *stop, struct dj_error *err)
{
    struct top top = {.views = views};
    int code = 0;
    snprintf(top.order, sizeof(top.order), "%s", order);
    while (code == 0 && !top.is_over && dj_interrupt_latest_ns(stop) == INT64_MAX &&
           dj_host_now_ns() < end_ns) {
        code = update(&top, err);
        int64_t next_ns = dj_top_views_next_ns(views);
        int64_t until_ns =
            next_ns < top.draw_ns && !top.is_paused ? next_ns : top.draw_ns;
        if (code == 0) {
            handle_key(&top, dj_top_screen_wait(until_ns < end_ns ? until_ns : end_ns));
        }
    }
    free(top.rows);
    return code;
}
