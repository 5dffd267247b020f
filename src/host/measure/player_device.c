#include <stdio.h>
#include <string.h>

#include "measure/player.h"
#include "measure/settings.h"

#define BACK_NS (60 * DJ_SECOND_NS)  /* a reboot takes no longer to be seen again */
#define BOOT_NS (180 * DJ_SECOND_NS) /* …and to be up */
#define RETRY_NS DJ_SECOND_NS
#define SHELL_NS (10 * DJ_SECOND_NS)

static const char *selector_of(const struct dj_player *player)
{
    return player->stage->plan->devices[player->index];
}

void dj_player_disconnect(struct dj_player *player)
{
    if (player->watcher != player->device) {
        dj_device_close(player->watcher);
    }
    dj_device_close(player->device);
    player->device = player->watcher = NULL;
}

/* The second one is for readings beside a driver; it costs nothing while nobody asks. */
int dj_player_connect(struct dj_player *player, struct dj_error *err)
{
    dj_player_disconnect(player);
    int code = dj_device_open(selector_of(player), &player->device, err);
    if (code == 0) {
        code = dj_device_open(selector_of(player), &player->watcher, err);
    }
    if (code != 0) {
        dj_player_disconnect(player);
        return code;
    }
    player->device->interrupt = player->watcher->interrupt = player->stop;
    return 0;
}

static void say_setting(void *user, const char *sentence)
{
    dj_player_say(user, "%s", sentence);
}

/* After a boot the shell answers long before the services do. */
static int await_boot(struct dj_player *player, struct dj_error *err)
{
    static const char *const argv[] = {"getprop", "sys.boot_completed", NULL};
    int64_t until_ns = dj_host_now_ns() + BOOT_NS;
    for (;;) {
        struct dj_shell_result result = {0};
        int code = dj_device_shell(player->device, argv, SHELL_NS, &result, err);
        bool up = code == 0 && dj_text_get(&result.out)[0] != '0' &&
                  dj_text_get(&result.out)[0] != '\n' && result.exit_code == 0;
        dj_shell_result_finish(&result);
        if (code != 0 || up || dj_host_now_ns() > until_ns) {
            return code;
        }
        dj_host_sleep_ns(RETRY_NS);
    }
}

static bool is_android(const struct dj_player *player)
{
    return strcmp(player->facts.platform, "android") == 0;
}

static int prepare(struct dj_player *player, struct dj_error *err)
{
    const struct dj_settings_talk talk = {say_setting, player};
    int code = dj_device_facts_read(player->device, &player->facts, err);
    if (code == 0) {
        code = dj_settings_prepare(player->device, player->stage->plan, &player->facts,
                                   &player->journal, &talk, err);
    }
    return code;
}

static int put_back_what_was_left(struct dj_player *player, struct dj_error *err)
{
    if (player->journal.count == 0) {
        return 0;
    }
    dj_player_say(player, "putting back what an earlier dejank had set here");
    return dj_settings_restore(player->device, &player->journal, err);
}

int dj_player_set_up(struct dj_player *player, struct dj_error *err)
{
    const struct dj_batch_plan *plan = player->stage->plan;
    int code = dj_player_connect(player, err);
    if (code == 0) {
        code = dj_lease_take(player->device->name, &player->lease, err);
    }
    if (code == 0) {
        code = dj_journal_open(player->device->name, &player->journal, err);
    }
    if (code == 0) {
        code = put_back_what_was_left(player, err);
    }
    if (code == 0) {
        code = prepare(player, err);
    }
    for (size_t i = 0; code == 0 && i < plan->build_count; i++) {
        dj_app_open(&player->apps[i], player->device, plan, &plan->builds[i],
                    is_android(player), player->stage->world->self);
        player->apps_open = true;
    }
    return code;
}

static void sleep_unless_stopped(const struct dj_player *player, int64_t ns)
{
    int64_t until_ns = dj_host_now_ns() + ns;
    while (dj_host_now_ns() < until_ns && !dj_player_stopped(player)) {
        dj_host_sleep_ns(100 * DJ_MILLISECOND_NS);
    }
}

int dj_player_recover(struct dj_player *player, struct dj_error *err)
{
    int64_t until_ns = dj_host_now_ns() + BACK_NS;
    int code;
    dj_player_say(player, "the device is away; waiting for it, %d s at most",
                  (int)(BACK_NS / DJ_SECOND_NS));
    while ((code = dj_player_connect(player, err)) != 0) {
        if (dj_host_now_ns() > until_ns || dj_player_stopped(player)) {
            return code;
        }
        sleep_unless_stopped(player, RETRY_NS);
    }
    for (size_t i = 0; i < player->stage->plan->build_count; i++) {
        player->apps[i].device = player->device;
    }
    dj_player_say(player, "the device is back");
    code = is_android(player) ? await_boot(player, err) : 0;
    return code == 0 ? prepare(player, err) : code;
}

static int restore(struct dj_player *player, struct dj_error *err)
{
    int code = 0;
    if (player->device == NULL) {
        code = dj_player_connect(player, err);
    }
    if (code == 0) {
        player->device->interrupt = player->stage->world->give_up;
        code = dj_settings_restore(player->device, &player->journal, err);
    }
    return code;
}

void dj_player_tear_down(struct dj_player *player)
{
    struct dj_error err = {0};
    if (player->device != NULL) {
        player->device->interrupt = player->stage->world->give_up;
    }
    for (size_t i = 0; player->apps_open && i < player->stage->plan->build_count; i++) {
        if (player->device != NULL || player->apps[i].kept != NULL) {
            dj_app_finish(&player->apps[i]);
        }
    }
    if (player->journal.count > 0 && restore(player, &err) != 0) {
        dj_player_say(player,
                      "its settings are not put back yet (%s): the next start does it, "
                      "or `dejank doctor --restore`",
                      err.message);
    }
    dj_journal_finish(&player->journal);
    dj_lease_give_back(&player->lease);
    dj_player_disconnect(player);
}
