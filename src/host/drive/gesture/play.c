/* Plays gestures. */
#include "drive/gesture/player.h"

#include "drive/desktop.h"
#include "process/deadline.h"

/* Default pause after a fling. It is longer, because the content keeps moving. */
#define FLING_PAUSE_NS (700 * DJ_MILLISECOND_NS)
#define PAUSE_NS (300 * DJ_MILLISECOND_NS)
#define WAIT_FOR_NS (10 * DJ_SECOND_NS)

enum {
    SCROLLS = 20 /* Default maximum number of scrolls of `scroll-to`. */
};

int dj_player_wait(const struct dj_gesture_player *player, int64_t ns,
                   struct dj_error *err)
{
    return dj_interrupt_poll(&player->device->interrupt, ns, NULL, 0, err);
}

static int count_fingers(const struct dj_gesture_list *gestures)
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
    int fingers = count_fingers(&player->gestures);
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

/* Plays one repetition of a touch gesture. If the injector has no pointer, as on Wayland,
 * a tap performs the action of the view instead. */
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

/* Sets *is_visible to whether the view is on the screen, and inside `area` if `area` is
 * not NULL. */
static int find_target(struct dj_gesture_player *player, const struct dj_selector *sought,
                       const struct dj_ui_rect *area, bool *is_visible,
                       struct dj_error *err)
{
    struct dj_ui_tree tree = {0};
    size_t node;
    *is_visible = false;
    int code = dj_drive_read_tree(player->device, &tree, err);
    if (code == 0 && dj_drive_selector_find(sought, &tree, &node, err) == 0) {
        struct dj_ui_rect seen = dj_drive_node_visible_area(&tree, node);
        seen = area != NULL ? dj_drive_rect_intersect(seen, *area) : seen;
        *is_visible = dj_drive_rect_width(&seen) > 0 && dj_drive_rect_height(&seen) > 0;
    }
    dj_drive_tree_finish(&tree);
    /* A screen that still moves cannot be read. That is no error, because the caller
     * tries again. */
    return code == DJ_E_TIMEOUT ? 0 : code;
}

/* Chooses the injector for the swipes of `scroll-to`. While monkey is connected, no other
 * process can read the tree of views, so `input` replaces monkey. `input` is slower, but
 * this does not matter, because reading the tree between two swipes takes even longer. */
static int choose_scroll_injector(struct dj_gesture_player *player,
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
    bool is_visible = false;
    int code = choose_scroll_injector(player, &injector, err);
    for (int i = 0; code == 0; i++) {
        code = find_target(player, gesture->sought, &player->places[which].area,
                           &is_visible, err);
        if (code != 0 || is_visible) {
            break;
        }
        if (i == times) {
            code =
                dj_error_set(err, DJ_E_NOT_FOUND, "%s did not appear within %d scrolls",
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
    bool is_visible = false;
    int code = 0;
    if (player->injector != NULL && player->injector->holds_tree) {
        dj_player_close(player);
    }
    while (code == 0 && !is_visible) {
        code = find_target(player, gesture->sought, NULL, &is_visible, err);
        if (code == 0 && !is_visible) {
            code =
                dj_host_now_ns() < end_ns
                    ? dj_player_wait(player, PAUSE_NS, err)
                    : dj_error_set(err, DJ_E_NOT_FOUND, "%s did not appear within %.1f s",
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
        dj_text_add(note, " (searching for the view costs frames)");
    }
    dj_text_add(note, code == 0 ? ": done\n" : ": failed\n");
    return code;
}
