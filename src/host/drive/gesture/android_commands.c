/* Rotates the screen of an Android device, and launches apps. */
#include "drive/gesture/player.h"

#include "base/str.h"
#include "process/deadline.h"

#define COMMAND_NS (15 * DJ_SECOND_NS)
#define START_NS (60 * DJ_SECOND_NS)
/* Time in which Android creates the activity again after a rotation. */
#define TURN_NS (1500 * DJ_MILLISECOND_NS)
#define SETTLE_NS DJ_SECOND_NS

static int run_command(struct dj_device *device, const char *const *argv,
                       int64_t timeout_ns, struct dj_text *out, struct dj_error *err)
{
    return dj_device_run_or_fail(device, argv, timeout_ns, DJ_E_NO_DATA, out, err);
}

static int read_setting(struct dj_device *device, const char *name, char value[16],
                        struct dj_error *err)
{
    struct dj_text out = {0};
    int code =
        run_command(device, (const char *[]){"settings", "get", "system", name, NULL},
                    COMMAND_NS, &out, err);
    snprintf(value, 16, "%.*s", (int)strcspn(dj_text_get(&out), "\r\n"),
             dj_text_get(&out));
    dj_text_finish(&out);
    return code;
}

/* Writes a setting, or deletes the setting if `value` is "null", which Android prints for
 * a setting that was never set. */
static int write_setting(struct dj_device *device, const char *name, const char *value,
                         struct dj_error *err)
{
    const char *put[] = {"settings", "put", "system", name, value, NULL};
    const char *delete[] = {"settings", "delete", "system", name, NULL};
    return run_command(device, strcmp(value, "null") == 0 ? delete : put, COMMAND_NS,
                       NULL, err);
}

static const char *const settings[] = {"accelerometer_rotation", "user_rotation"};

int dj_player_rotate(struct dj_gesture_player *player, int turns, struct dj_error *err)
{
    char rotation[16];
    const char *const values[] = {"0", rotation};
    int code = 0;
    if (dj_screen_is_desktop(player->device)) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "cannot rotate the screen of a desktop");
    }
    for (size_t i = 0;
         code == 0 && !player->saved_rotation.is_known && i < COUNT_OF(settings); i++) {
        code = read_setting(player->device, settings[i],
                            player->saved_rotation.settings[i], err);
    }
    player->saved_rotation.is_known = code == 0;
    snprintf(rotation, sizeof(rotation), "%d", turns);
    for (size_t i = 0; code == 0 && i < COUNT_OF(settings); i++) {
        code = write_setting(player->device, settings[i], values[i], err);
    }
    return code == 0 ? dj_player_wait(player, TURN_NS, err) : code;
}

int dj_player_restore_rotation(struct dj_gesture_player *player, struct dj_error *err)
{
    int code = 0;
    for (size_t i = COUNT_OF(settings); player->saved_rotation.is_known && i-- > 0;) {
        int written =
            write_setting(player->device, settings[i], player->saved_rotation.settings[i],
                          code == 0 ? err : NULL);
        code = code == 0 ? written : code;
    }
    player->saved_rotation.is_known = code != 0;
    return code;
}

/* Appends the component for `am start`, such as "com.example/.Main". The component
 * contains the activity that the user named, or else the activity that a launcher would
 * start. */
static int find_component(struct dj_gesture_player *player, struct dj_text *component,
                          struct dj_error *err)
{
    if (player->activity != NULL) {
        bool whole = strchr(player->activity, '/') != NULL;
        dj_text_format(component, "%s%s%s", whole ? "" : player->package,
                       whole ? "" : "/", player->activity);
        return 0;
    }
    struct dj_text out = {0};
    const char *argv[] = {"cmd",     "package",       "resolve-activity",
                          "--brief", player->package, NULL};
    int code = run_command(player->device, argv, COMMAND_NS, &out, err);
    /* The output is "priority=0 …\ncom.example/.Main" or "No activity found". */
    struct dj_str rest = {dj_text_get(&out), out.length}, line, last = {0};
    while (dj_str_next_line(&rest, &line)) {
        last = line.length > 0 ? line : last;
    }
    if (code == 0 && !dj_str_after(last, "/", &rest)) {
        code = dj_error_set(err, DJ_E_NOT_FOUND,
                            "found no activity of %s to launch; check that it is "
                            "installed, or name an activity",
                            player->package);
    } else if (code == 0) {
        dj_text_append(component, last.at, last.length);
    }
    dj_text_finish(&out);
    return code;
}

static int check_launch(const struct dj_gesture_player *player, struct dj_error *err)
{
    if (dj_screen_is_desktop(player->device)) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "%s: this flow needs Android; on this machine, give the "
                            "program after -- and use custom-draw",
                            player->flow->name);
    }
    return player->package != NULL
               ? 0
               : dj_error_set(err, DJ_E_USAGE,
                              "%s: expected the package of the app to launch",
                              player->flow->name);
}

int dj_player_launch(struct dj_gesture_player *player, struct dj_text *out,
                     struct dj_error *err)
{
    struct dj_text component = {0};
    int code = find_component(player, &component, err);
    if (code == 0) {
        const char *argv[] = {"am", "start", "-W", "-n", dj_text_get(&component), NULL};
        code = run_command(player->device, argv, START_NS, out, err);
    }
    /* On many releases, `am` exits with 0 also after an error, so the output is searched
     * for an error message. */
    const char *said = dj_text_get(out);
    const char *wrong = code == 0 ? strstr(said, "Error") : NULL;
    if (wrong != NULL) {
        code = dj_error_set(err, DJ_E_NO_DATA, "am start: %s",
                            dj_device_first_line(wrong).line);
    }
    dj_text_finish(&component);
    return code;
}

/* Prepares the launch of the flow. For a cold launch, ends the process. For a warm
 * launch, closes the activity with Back, so that the process keeps running. For a hot
 * launch, sends the app to the background with Home. */
int dj_player_prepare_launch(struct dj_gesture_player *player, struct dj_error *err)
{
    struct dj_text out = {0};
    int code = check_launch(player, err);
    if (code != 0) {
        return code;
    }
    if (player->flow->launch == DJ_LAUNCH_COLD) {
        code = run_command(player->device,
                           (const char *[]){"am", "force-stop", player->package, NULL},
                           COMMAND_NS, NULL, err);
    } else {
        code = dj_player_launch(player, &out, err);
        code = code == 0 ? dj_player_wait(player, SETTLE_NS, err) : code;
        bool warm = player->flow->launch == DJ_LAUNCH_WARM;
        const char *const argv[] = {"input", "keyevent",
                                    warm ? "KEYCODE_BACK" : "KEYCODE_HOME", NULL};
        code =
            code == 0 ? run_command(player->device, argv, COMMAND_NS, NULL, err) : code;
    }
    dj_text_finish(&out);
    return code == 0 ? dj_player_wait(player, SETTLE_NS, err) : code;
}
