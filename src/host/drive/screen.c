#include "drive/screen.h"

#include <unistd.h>

#include "drive/desktop.h"
#include "process/deadline.h"

#define COMMAND_NS (15 * DJ_SECOND_NS)
/* Time limit of `uiautomator dump`. It gives up after 10 s, but may be slow to start and
 * to end. */
#define DUMP_NS (40 * DJ_SECOND_NS)

bool dj_screen_is_desktop(const struct dj_device *device)
{
    return strcmp(device->name, "local:") == 0;
}

/* Parses a size such as "1080x2400". Returns false if the area is empty. */
static bool read_size(const char *at, struct dj_ui_rect *area)
{
    int width, height;
    if (sscanf(at, "%5dx%5d", &width, &height) != 2 || width < 1 || height < 1) {
        return false;
    }
    *area = (struct dj_ui_rect){0, 0, width, height};
    return true;
}

/* Parses "    init=1080x2400 420dpi cur=2400x1080 app=2274x1080
 * rng=1080x1002-2400x2274". */
bool dj_screen_parse_displays(const char *text, struct dj_screen *screen)
{
    const char *init = strstr(text, "init=");
    const char *cur = init != NULL ? strstr(init, " cur=") : NULL;
    struct dj_ui_rect natural;
    if (cur == NULL || !read_size(init + 5, &natural) ||
        !read_size(cur + 5, &screen->area)) {
        return false;
    }
    screen->is_rotated =
        (natural.right > natural.bottom) != (screen->area.right > screen->area.bottom);
    return true;
}

/* Parses "Physical size: 1440x3120\nOverride size: 1080x2340". The second line, if there
 * is one, is the size in use. */
bool dj_screen_parse_size(const char *text, struct dj_screen *screen)
{
    const char *at = strstr(text, "Override size: ");
    at = at != NULL ? at : strstr(text, "Physical size: ");
    screen->is_rotated = false;
    return at != NULL && read_size(strchr(at, ':') + 2, &screen->area);
}

/* Parses "mCurrentRotation=1" or "mCurrentRotation=ROTATION_90". Returns whether width
 * and height are exchanged. */
static bool is_rotated_by_quarter(const char *text)
{
    const char *at = strstr(text, "mCurrentRotation=");
    if (at == NULL) {
        return false;
    }
    at += strlen("mCurrentRotation=");
    return strncmp(at, "1", 1) == 0 || strncmp(at, "3", 1) == 0 ||
           strncmp(at, "ROTATION_90", 11) == 0 || strncmp(at, "ROTATION_270", 12) == 0;
}

static int run_command(struct dj_device *device, const char *const *argv,
                       struct dj_text *output, struct dj_error *err)
{
    struct dj_device_result result = {0};
    int code = dj_device_run(device, argv, COMMAND_NS, &result, err);
    dj_text_append(output, dj_text_get(&result.out), result.out.length);
    dj_device_result_finish(&result);
    return code;
}

/* Reads the size from `wm size`, which always prints the size in the natural orientation.
 * `displays` contains the current rotation. */
static int read_natural_size(struct dj_device *device, const char *displays,
                             struct dj_screen *screen, struct dj_error *err)
{
    struct dj_text output = {0};
    int code = run_command(device, (const char *[]){"wm", "size", NULL}, &output, err);
    if (code == 0 && !dj_screen_parse_size(dj_text_get(&output), screen)) {
        code = dj_error_set(err, DJ_E_NO_DATA,
                            "%s: neither `dumpsys window displays` nor `wm size` shows "
                            "the size of the screen",
                            device->name);
    }
    if (code == 0 && is_rotated_by_quarter(displays)) {
        screen->area = (struct dj_ui_rect){0, 0, screen->area.bottom, screen->area.right};
        screen->is_rotated = true;
    }
    dj_text_finish(&output);
    return code;
}

int dj_screen_read(struct dj_device *device, struct dj_screen *screen,
                   struct dj_error *err)
{
    struct dj_text output = {0};
    *screen = (struct dj_screen){0};
    if (dj_screen_is_desktop(device)) {
        return dj_desktop_read_window(&screen->area, err);
    }
    int code = run_command(
        device, (const char *[]){"dumpsys", "window", "displays", NULL}, &output, err);
    if (code == 0 && !dj_screen_parse_displays(dj_text_get(&output), screen)) {
        code = read_natural_size(device, dj_text_get(&output), screen, err);
    }
    dj_text_finish(&output);
    return code;
}

#define ALREADY_IN_USE                                                                   \
    "another program already reads the screen (a UI test, Appium, another monkey): end " \
    "it first"

int dj_screen_dump_error(const char *output, struct dj_error *err)
{
    static const struct {
        const char *output;
        int code;
        const char *why;
    } reasons[] = {
        {"could not get idle state", DJ_E_TIMEOUT,
         "the screen keeps moving (an animation, a clock, a video), and `uiautomator "
         "dump` waits for a still screen; begin the flow on a still screen, or give "
         "places as X,Y"},
        {"null root node", DJ_E_NO_DATA,
         "nothing on the screen can be read: it is off or locked, or shows protected "
         "content"},
        {"already registered", DJ_E_NO_DATA, ALREADY_IN_USE},
        {"Killed", DJ_E_NO_DATA, ALREADY_IN_USE},
        {"not found", DJ_E_UNSUPPORTED, "the device has no `uiautomator`"},
        {"Permission denied", DJ_E_NO_DATA, "the dump cannot be written on the device"},
        {"No space left", DJ_E_NO_DATA, "the device's storage is full"},
    };
    for (size_t i = 0; i < COUNT_OF(reasons); i++) {
        if (strstr(output, reasons[i].output) != NULL) {
            return dj_error_set(err, reasons[i].code, "cannot read the tree of views: %s",
                                reasons[i].why);
        }
    }
    return dj_error_set(err, DJ_E_NO_DATA,
                        "cannot read the tree of views: uiautomator printed '%s'",
                        dj_device_first_line(output).line);
}

/* Runs `uiautomator dump` once. It prints "UI hierchary dumped to: PATH" (sic) or an
 * error. On many releases, the exit code is 0 in both cases. */
static int dump_once(struct dj_device *device, bool compressed, const char *path,
                     struct dj_error *err)
{
    struct dj_device_result result = {0};
    const char *const argv[] = {"uiautomator", "dump", compressed ? "--compressed" : path,
                                compressed ? path : NULL, NULL};
    int code = dj_device_run(device, argv, DUMP_NS, &result, err);
    if (code == 0) {
        dj_text_append(&result.out, dj_text_get(&result.err), result.err.length);
        if (result.exit_code != 0 ||
            strstr(dj_text_get(&result.out), "dumped to") == NULL) {
            code = dj_screen_dump_error(dj_text_get(&result.out), err);
        }
    }
    dj_device_result_finish(&result);
    return code;
}

static int fetch_dump(struct dj_device *device, const char *path, struct dj_ui_tree *tree,
                      struct dj_error *err)
{
    struct dj_device_result result = {0};
    int code = dj_device_run(device, (const char *[]){"cat", path, NULL}, COMMAND_NS,
                             &result, err);
    if (code == 0 && result.exit_code != 0) {
        code = dj_screen_dump_error(dj_text_get(&result.err), err);
    } else if (code == 0) {
        code =
            dj_ui_tree_read_xml(tree, dj_text_get(&result.out), result.out.length, err);
        if (code != 0) {
            dj_error_prepend(err, "%s: the dump of views", device->name);
        }
    }
    dj_device_result_finish(&result);
    return code;
}

void dj_screen_end_monkeys(struct dj_device *device)
{
    struct dj_text ignored = {0};
    run_command(device,
                (const char *[]){"pkill", "-f", "com.android.commands.monkey", NULL},
                &ignored, NULL);
    dj_text_finish(&ignored);
    /* Waits, because the system needs some time to notice that the processes have
     * ended. */
    dj_host_sleep_ns(DJ_SECOND_NS / 2);
}

/* Runs `uiautomator dump`, and again after some errors. If the screen moves, the second
 * try uses a compressed dump, because some releases then wait less for a still screen. If
 * another process reads the screen, the second try ends all monkeys first, because a
 * monkey may remain after dejank was killed. */
static int dump_tree(struct dj_device *device, const char *path, struct dj_error *err)
{
    struct dj_error first = {0}, second = {0};
    int code = dump_once(device, false, path, &first);
    bool moves = strstr(first.message, "keeps moving") != NULL;
    bool in_use = strstr(first.message, "reads the screen") != NULL;
    if (code != 0 && in_use) {
        dj_screen_end_monkeys(device);
    }
    if (code != 0 && (moves || in_use) && dump_once(device, moves, path, &second) == 0) {
        return 0;
    }
    return code == 0 ? 0 : dj_error_set(err, code, "%s", first.message);
}

int dj_drive_read_tree(struct dj_device *device, struct dj_ui_tree *tree,
                       struct dj_error *err)
{
    if (dj_screen_is_desktop(device)) {
        return dj_desktop_read_tree(tree, err);
    }
    char path[64];
    snprintf(path, sizeof(path), "/data/local/tmp/dejank-views-%d.xml", (int)getpid());
    int code = dump_tree(device, path, err);
    if (code != 0) {
        return code;
    }
    code = fetch_dump(device, path, tree, err);
    struct dj_text ignored = {0};
    run_command(device, (const char *[]){"rm", "-f", path, NULL}, &ignored, NULL);
    dj_text_finish(&ignored);
    return code;
}
