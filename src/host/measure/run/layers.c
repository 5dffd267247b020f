/* Finds the layer in which an app drew, by its name. Examples of layer names:
 *
 *   SurfaceView[com.example/com.example.Main](BLAST)#123
 *   SurfaceView - com.example/com.example.Main#0
 *   com.example/com.example.Main#120
 */
#include <stdio.h>
#include <string.h>

#include "measure/run/run.h"

/* A frame that gfxinfo counted before the window is presented at most this long after the
 * start of the window. */
#define PRESENT_DELAY_NS (100 * DJ_MILLISECOND_NS)

/* Number of rows from which on a layer has probably lost older rows. SurfaceFlinger keeps
 * 127 rows, and a few of them may be incomplete. */
enum { ROWS_FULL = 120 };

/* Returns true if the layer belongs to the package. In a layer's name, the name of the
 * package ends with a slash. Otherwise a longer name of another package would match too.
 */
static bool is_of_package(const char *line, size_t length, const char *package)
{
    size_t package_length = strlen(package);
    const char *at = line;
    while ((at = memmem(at, (size_t)(line + length - at), package, package_length)) !=
           NULL) {
        bool begins = at == line || strchr("[ /(", at[-1]) != NULL;
        if (begins && at + package_length < line + length && at[package_length] == '/') {
            return true;
        }
        at++;
    }
    return false;
}

bool dj_layers_find(const char *list, const char *package, char *layer, size_t size)
{
    for (const char *line = list; *line != '\0';) {
        size_t length = strcspn(line, "\r\n");
        bool view = memmem(line, length, "SurfaceView", 11) != NULL;
        bool background = memmem(line, length, "Background for", 14) != NULL;
        if (view && !background && is_of_package(line, length, package)) {
            snprintf(layer, size, "%.*s", (int)length, line);
            return true;
        }
        line += length + strspn(line + length, "\r\n");
    }
    layer[0] = '\0';
    return false;
}

static int64_t get_present_ns(const struct dj_dump_window *rows, size_t index)
{
    return dj_frame_get(&rows->frames[index], DJ_COLUMN_DISPLAY_PRESENT_TIME, INT64_MIN);
}

/* Counts the presents of a layer in the window. SurfaceFlinger keeps the last 127 rows of
 * a layer, so the rows of a fast app may all be newer than the window. In that case, all
 * rows count. */
static size_t count_presents(const struct dj_dump_window *rows,
                             const struct dj_span *window)
{
    size_t count = 0;
    if (rows->frame_count >= ROWS_FULL && get_present_ns(rows, 0) >= window->end_ns) {
        return rows->frame_count;
    }
    for (size_t i = 0; i < rows->frame_count; i++) {
        int64_t present_ns = get_present_ns(rows, i);
        count += present_ns > window->start_ns + PRESENT_DELAY_NS &&
                 present_ns < window->end_ns;
    }
    return count;
}

bool dj_layers_find_shown(const struct dj_dump *presents, const struct dj_span *window,
                          char *layer, size_t size)
{
    size_t most = 0;
    layer[0] = '\0';
    for (size_t i = 0; i < presents->process_count; i++) {
        const struct dj_dump_process *process = &presents->processes[i];
        for (size_t k = 0; k < process->window_count; k++) {
            size_t count = count_presents(&process->windows[k], window);
            if (count > most) {
                most = count;
                snprintf(layer, size, "%s", process->windows[k].title);
            }
        }
    }
    return most > 0;
}
