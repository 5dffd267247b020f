#include "drive/gesture_driver.h"

#include "base/str.h"
#include "drive/gesture/player.h"

static bool launches_app(const struct dj_gesture_player *player)
{
    return player->flow != NULL && player->flow->launch != DJ_LAUNCH_NONE;
}

static int prepare_gestures(void *self, struct dj_device *device, struct dj_error *err)
{
    struct dj_gesture_player *player = self;
    int64_t dev_ns, uncertainty_ns;
    if (player->device != device) {
        dj_player_close(player);
        dj_player_forget_places(player, 0);
        player->device = device;
    }
    int code = launches_app(player) ? dj_player_prepare_launch(player, err) : 0;
    code = code == 0 ? dj_player_find_places(player, err) : code;
    code = code == 0 ? dj_player_open(player, err) : code;
    if (code == 0 && player->flow != NULL) {
        /* The clock is read once before the window, because its first reading takes
         * longest. */
        code = dj_device_read_clock(device, &dev_ns, &uncertainty_ns, err);
    }
    return code;
}

static void append_injector_note(const struct dj_gesture_player *player,
                                 struct dj_text *stream)
{
    const struct dj_injector *injector = player->injector;
    if (injector == NULL) {
        return;
    }
    dj_text_format(stream, "injected by %s", injector->name);
    if (injector->note[0] != '\0') {
        dj_text_format(stream, ": %s", injector->note);
    }
    const struct dj_jitter *jitter = &injector->jitter;
    if (jitter->count > 0) {
        dj_text_format(
            stream,
            "\n%zu touch points, early or late by %.2f ms on average, %.2f ms at most",
            jitter->count, (double)jitter->total_ns / (double)jitter->count / 1e6,
            (double)jitter->worst_ns / 1e6);
    }
    dj_text_add(stream, "\n");
}

static int play_all(struct dj_gesture_player *player, struct dj_text *stream,
                    struct dj_error *err)
{
    int code = launches_app(player) ? dj_player_launch(player, stream, err) : 0;
    for (size_t i = 0; code == 0 && i < player->gestures.count; i++) {
        code = dj_player_play(player, i, stream, err);
        if (code != 0 && code != DJ_E_INTERRUPTED) {
            dj_error_prepend(err, "gesture %zu, %s", i + 1,
                             dj_gesture_name(player->gestures.items[i].kind));
        }
    }
    return code;
}

/* Decides whether an error ends the batch of runs or is only the outcome of this run.
 * Returns the error, or 0 after setting log->outcome. DJ_E_GONE may come from a broken
 * connection, so it ends the batch only if the device no longer answers. */
static int set_outcome(struct dj_gesture_player *player, int code,
                       struct dj_drive_log *log, const struct dj_error *why,
                       struct dj_error *err)
{
    struct dj_device_result result = {0};
    bool ends = code == DJ_E_INTERRUPTED || code == DJ_E_NO_MEMORY;
    if (code == DJ_E_GONE) {
        ends = dj_device_run(player->device, (const char *[]){"true", NULL}, 5000000000,
                             &result, NULL) != 0;
        dj_device_result_finish(&result);
    }
    if (ends) {
        return dj_error_set(err, code, "%s", why->message);
    }
    log->outcome = DJ_RUN_DRIVE_FAILED;
    snprintf(log->reason, sizeof(log->reason), "%.*s", (int)sizeof(log->reason) - 1,
             why->message);
    dj_player_forget_places(player, 0);
    return 0;
}

static int play_gestures(void *self, struct dj_device *device, struct dj_drive_log *log,
                         struct dj_error *err)
{
    struct dj_gesture_player *player = self;
    struct dj_error why = {0};
    struct dj_span span = {0};
    int64_t uncertainty_ns;
    int code = player->flow != NULL
                   ? dj_device_read_clock(device, &span.start_ns, &uncertainty_ns, &why)
                   : 0;
    code = code == 0 ? play_all(player, &log->stream, &why) : code;
    if (code == 0 && player->flow != NULL) {
        code = dj_device_read_clock(device, &span.end_ns, &uncertainty_ns, &why);
        if (code == 0 && !dj_drive_log_add_window(log, player->flow->name, span)) {
            code = dj_error_set(&why, DJ_E_NO_MEMORY, "out of memory");
        }
    }
    append_injector_note(player, &log->stream);
    struct dj_error restore_error = {0};
    int restore_code = dj_player_restore_rotation(player, &restore_error);
    code = code == 0 && restore_code != 0
               ? dj_error_set(&why, restore_code, "%s", restore_error.message)
               : code;
    /* Closes the injector, because the next run, or another driver, may need to read the
     * tree of views. */
    dj_player_close(player);
    return code == 0 ? 0 : set_outcome(player, code, log, &why, err);
}

static int parse_text(struct dj_gesture_player *player, const char *text, size_t length,
                      struct dj_error *err)
{
    struct dj_text gestures = {0};
    const char *words = text;
    struct dj_str name = dj_str_until((struct dj_str){text, length}, " \t\r\n");
    int code = 0;
    if (dj_flows_find(name.at, name.length) != NULL) {
        code = dj_flows_expand(text, length, &player->flow, &gestures, err);
        words = dj_text_get(&gestures);
        length = gestures.length;
    }
    if (code == 0) {
        code = dj_gesture_parse_list(words, length, &player->gestures, err);
        if (code != 0 && player->flow != NULL) {
            dj_error_prepend(err, "%s ('%s')", player->flow->name, words);
        }
    }
    dj_text_finish(&gestures);
    return code;
}

static void destroy_player(struct dj_gesture_player *player)
{
    dj_player_close(player);
    dj_gesture_finish_list(&player->gestures);
    free(player->places);
    free(player->package);
    free(player->activity);
    free(player);
}

int dj_drive_gestures_create(const char *text, size_t length, struct dj_driver *driver,
                             struct dj_error *err)
{
    struct dj_gesture_player *player = calloc(1, sizeof(*player));
    if (player == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    int code = parse_text(player, text, length, err);
    if (code == 0) {
        player->places = calloc(player->gestures.count, sizeof(*player->places));
        code = player->places == NULL ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                                      : 0;
    }
    if (code != 0) {
        destroy_player(player);
        return code;
    }
    *driver = (struct dj_driver){.kind = "gesture",
                                 .self = player,
                                 .prepare = prepare_gestures,
                                 .drive = play_gestures,
                                 .ends_window = true};
    return 0;
}

bool dj_drive_gestures_set_app(struct dj_driver *driver, const char *package,
                               const char *activity)
{
    struct dj_gesture_player *player = driver->self;
    free(player->package);
    free(player->activity);
    player->package = strdup(package);
    player->activity = activity != NULL ? strdup(activity) : NULL;
    return player->package != NULL && (activity == NULL || player->activity != NULL);
}

bool dj_drive_gestures_rotate_screen(const struct dj_driver *driver)
{
    const struct dj_gesture_player *player = driver->self;
    for (size_t i = 0; i < player->gestures.count; i++) {
        if (player->gestures.items[i].kind == DJ_GESTURE_ROTATE) {
            return true;
        }
    }
    return false;
}

bool dj_drive_gestures_launch_app(const struct dj_driver *driver)
{
    return launches_app(driver->self);
}

void dj_drive_gestures_destroy(struct dj_driver *driver)
{
    if (driver->self != NULL) {
        destroy_player(driver->self);
    }
    *driver = (struct dj_driver){0};
}
