/* Plays gestures. */
#include "drive/gesture/player.h"

#include "drive/desktop.h"
#include "process/deadline.h"

#define FLING_PAUSE_NS (700 * DJ_MILLISECOND_NS) /* its motion continues */
#define PAUSE_NS (300 * DJ_MILLISECOND_NS)
#define WAIT_FOR_NS (10 * DJ_SECOND_NS)

enum {
    SCROLLS = 20 /* default for scroll-to */
};

int dj_player_wait(const struct dj_gesture_player *player, int64_t ns,
                   struct dj_error *err)
{
    return dj_interrupt_poll(&player->device->interrupt, ns, NULL, 0, err);
}

static int fingers_needed(const struct dj_gesture_list *gestures)
{
    int fingers = 0;
    for (size_t i = 0; i < gestures->count; i++) {
        const struct dj_gesture *gesture = &gestures->items[i];
        bool types = gesture->kind == DJ_GESTURE_KEY || gesture->kind == DJ_GESTURE_TEXT;
        int own = gesture->kind == DJ_GESTURE_PINCH         ? 2
                  : dj_gesture_uses_touch(gesture) || types ? 1
                                                            : 0;
        fingers = own > fingers ? own : fingers;
    }
    return fingers;
}

int dj_player_open(struct dj_gesture_player *player, struct dj_error *err)
{
    int fingers = fingers_needed(&player->gestures);
    if (player->injector != NULL || fingers == 0) {
        return 0;
    }
    return dj_screen_is_desktop(player->device)
               ? dj_inject_open_desktop(player->device, &player->injector, err)
               : dj_drive_injector_open_android(player->device, fingers,
                                                &player->injector, err);
}

void dj_player_close(struct dj_gesture_player *player)
{
    dj_drive_injector_close(player->injector);
    player->injector = NULL;
}

static int64_t get_pause(const struct dj_gesture *gesture)
{
    return gesture->pause_ns >= 0              ? gesture->pause_ns
           : gesture->kind == DJ_GESTURE_FLING ? FLING_PAUSE_NS
                                               : PAUSE_NS;
}

/* Without a pointer, as on Wayland, the action of the view replaces a tap. */
static int touch_once(struct dj_gesture_player *player, struct dj_injector *injector,
                      size_t which, struct dj_error *err)
{
    const struct dj_gesture *gesture = &player->gestures.items[which];
    if (injector->fingers == 0) {
        if (gesture->kind == DJ_GESTURE_TAP && gesture->target != NULL) {
            return dj_desktop_activate(player->places[which].node, err);
        }
        return dj_error_set(err, DJ_E_UNSUPPORTED, "%s: %s",
                            dj_gesture_name(gesture->kind), injector->note);
    }
    struct dj_touch_plan plan = {0};
    int code = dj_touch_plan_gesture(gesture, &player->places[which].area, &plan, err);
    if (code == 0) {
        code = dj_drive_injector_touch(injector, &plan, err);
    }
    dj_touch_plan_finish(&plan);
    return code;
}

static int play_repeated(struct dj_gesture_player *player, size_t which,
                         struct dj_error *err)
{
    const struct dj_gesture *gesture = &player->gestures.items[which];
    int code = 0;
    for (int i = 0; code == 0 && i < gesture->times; i++) {
        code = gesture->kind == DJ_GESTURE_KEY
                   ? dj_drive_injector_key(player->injector, gesture->word, err)
                   : touch_once(player, player->injector, which, err);
        if (code == 0) {
            code = dj_player_wait(player, get_pause(gesture), err);
        }
    }
    return code;
}

/* Sets whether the view that the gesture seeks is on the screen, within `area` if that is
 * not NULL. */
static int find_target(struct dj_gesture_player *player, const struct dj_selector *sought,
                       const struct dj_ui_rect *area, bool *there, struct dj_error *err)
{
    struct dj_ui_tree tree = {0};
    size_t node;
    *there = false;
    int code = dj_drive_read_tree(player->device, &tree, err);
    if (code == 0 && dj_drive_selector_find(sought, &tree, &node, err) == 0) {
        struct dj_ui_rect seen = dj_drive_node_visible_area(&tree, node);
        seen = area != NULL ? dj_drive_rect_intersect(seen, *area) : seen;
        *there = dj_drive_rect_width(&seen) > 0 && dj_drive_rect_height(&seen) > 0;
    }
    dj_drive_tree_finish(&tree);
    /* If the screen is still moving, the caller reads it again. */
    return code == DJ_E_TIMEOUT ? 0 : code;
}

/* While monkey is connected, no other process can read the screen. `input` is good enough
 * for scrolls with a screen reading between them. */
static int scroll_injector(struct dj_gesture_player *player,
                           struct dj_injector **injector, struct dj_error *err)
{
    *injector = player->injector;
    if (!player->injector->holds_tree) {
        return 0;
    }
    dj_player_close(player);
    return dj_inject_open_input(player->device, injector, err);
}

static int scroll_to(struct dj_gesture_player *player, size_t which, struct dj_error *err)
{
    const struct dj_gesture *gesture = &player->gestures.items[which];
    int times = gesture->times > 1 ? gesture->times : SCROLLS;
    struct dj_injector *injector = NULL;
    bool there = false;
    int code = scroll_injector(player, &injector, err);
    for (int i = 0; code == 0; i++) {
        code = find_target(player, gesture->sought, &player->places[which].area, &there,
                           err);
        if (code != 0 || there) {
            break;
        }
        if (i == times) {
            code =
                dj_error_set(err, DJ_E_NOT_FOUND, "%s did not come up within %d scrolls",
                             dj_drive_selector_text(gesture->sought), times);
            break;
        }
        code = touch_once(player, injector, which, err);
        code = code == 0 ? dj_player_wait(player, get_pause(gesture), err) : code;
    }
    if (injector != player->injector) {
        dj_drive_injector_close(injector);
    }
    return code == 0 ? dj_player_open(player, err) : code;
}

static int wait_for(struct dj_gesture_player *player, size_t which, struct dj_error *err)
{
    const struct dj_gesture *gesture = &player->gestures.items[which];
    int64_t patience_ns = gesture->duration_ns >= 0 ? gesture->duration_ns : WAIT_FOR_NS;
    int64_t end_ns = dj_host_now_ns() + patience_ns;
    bool there = false;
    int code = 0;
    if (player->injector != NULL && player->injector->holds_tree) {
        dj_player_close(player);
    }
    while (code == 0 && !there) {
        code = find_target(player, gesture->sought, NULL, &there, err);
        if (code == 0 && !there) {
            code = dj_host_now_ns() < end_ns
                       ? dj_player_wait(player, PAUSE_NS, err)
                       : dj_error_set(err, DJ_E_NOT_FOUND,
                                      "%s did not come up within %.1f s",
                                      dj_drive_selector_text(gesture->sought),
                                      (double)patience_ns / 1e9);
        }
    }
    return code == 0 ? dj_player_open(player, err) : code;
}

static int play_once(struct dj_gesture_player *player, size_t which, struct dj_error *err)
{
    const struct dj_gesture *gesture = &player->gestures.items[which];
    switch (gesture->kind) {
    case DJ_GESTURE_SCROLL_TO:
        return scroll_to(player, which, err);
    case DJ_GESTURE_TEXT:
        return dj_drive_injector_text(player->injector, gesture->word, err);
    case DJ_GESTURE_ROTATE:
        dj_player_forget_places(player, which);
        return dj_player_rotate(player, gesture->rotation, err);
    case DJ_GESTURE_WAIT:
        return dj_player_wait(player, gesture->duration_ns, err);
    case DJ_GESTURE_WAIT_FOR:
        return wait_for(player, which, err);
    default:
        return play_repeated(player, which, err);
    }
}

int dj_player_play(struct dj_gesture_player *player, size_t which, struct dj_text *note,
                   struct dj_error *err)
{
    const struct dj_gesture *gesture = &player->gestures.items[which];
    const struct dj_ui_rect *area = &player->places[which].area;
    int code = dj_player_find_place_now(player, which, note, err);
    if (code == 0) {
        code = play_once(player, which, err);
    }
    dj_text_format(note, "%s x%d", dj_gesture_name(gesture->kind), gesture->times);
    if (dj_gesture_uses_touch(gesture)) {
        dj_text_format(note, " in [%d,%d][%d,%d]", area->left, area->top, area->right,
                       area->bottom);
    }
    if (gesture->sought != NULL) {
        dj_text_add(note, ", whose looking costs frames");
    }
    dj_text_add(note, code == 0 ? ": done\n" : ": failed\n");
    return code;
}
