/* Finding the places of gestures before the window opens. */
#include "drive/gesture_parts.h"

bool dj_gesture_touches(const struct dj_gesture *gesture)
{
    return gesture->kind <= DJ_GESTURE_SCROLL_TO;
}

/* After it other views may be there. Scrolling leaves the screen what it is. */
static bool may_change_screen(const struct dj_gesture *gesture)
{
    static const bool changes[DJ_GESTURE_KINDS] = {
        [DJ_GESTURE_TAP] = true,    [DJ_GESTURE_LONG_TAP] = true,
        [DJ_GESTURE_KEY] = true,    [DJ_GESTURE_TEXT] = true,
        [DJ_GESTURE_ROTATE] = true, [DJ_GESTURE_WAIT_FOR] = true,
    };
    return changes[gesture->kind];
}

static int find_in_tree(const struct dj_gesture *gesture, const struct dj_ui_tree *tree,
                        struct dj_gesture_place *place, struct dj_error *err)
{
    int code = dj_selector_find(gesture->target, tree, &place->node, err);
    if (code != 0) {
        return code;
    }
    place->area = dj_ui_visible(tree, place->node);
    if (dj_rect_width(&place->area) < 1 || dj_rect_height(&place->area) < 1) {
        return dj_error_set(err, DJ_E_NOT_FOUND, "the view %s is there, but out of sight",
                            dj_selector_text(gesture->target));
    }
    place->known = true;
    return 0;
}

/* What stands behind a turned screen is never where it is now. */
static size_t first_turn(const struct dj_gestures *gestures)
{
    size_t i = 0;
    while (i < gestures->count && gestures->items[i].kind != DJ_GESTURE_ROTATE) {
        i++;
    }
    return i;
}

struct needs {
    bool tree, screen;
};

static struct needs find_needs(const struct dj_gesture_player *player, size_t first,
                               size_t end)
{
    struct needs needs = {0};
    for (size_t i = first; i < end; i++) {
        const struct dj_gesture *gesture = &player->gestures.items[i];
        bool wanted = dj_gesture_touches(gesture) && !player->places[i].known;
        needs.tree = needs.tree || (wanted && gesture->target != NULL);
        needs.screen = needs.screen || (wanted && gesture->target == NULL);
    }
    return needs;
}

static int find_all(struct dj_gesture_player *player, const struct dj_ui_tree *tree,
                    const struct dj_screen *screen, size_t end, struct dj_error *err)
{
    bool changed = false;
    for (size_t i = 0; i < end; i++) {
        const struct dj_gesture *gesture = &player->gestures.items[i];
        struct dj_gesture_place *place = &player->places[i];
        if (dj_gesture_touches(gesture) && !place->known) {
            if (gesture->target == NULL) {
                *place = (struct dj_gesture_place){.known = true, .area = screen->area};
            } else {
                int code = find_in_tree(gesture, tree, place, changed ? NULL : err);
                if (code != 0 && !changed) {
                    return code;
                }
            }
        }
        changed = changed || may_change_screen(gesture);
    }
    return 0;
}

int dj_places_find(struct dj_gesture_player *player, struct dj_error *err)
{
    size_t end = first_turn(&player->gestures);
    struct needs needs = find_needs(player, 0, end);
    struct dj_screen screen = {0};
    struct dj_ui_tree tree = {0};
    int code = needs.tree ? dj_screen_tree(player->device, &tree, err) : 0;
    if (code == 0 && needs.screen) {
        code = dj_screen_read(player->device, &screen, err);
    }
    if (code == 0) {
        code = find_all(player, &tree, &screen, end, err);
    }
    dj_ui_tree_finish(&tree);
    return code;
}

int dj_places_find_late(struct dj_gesture_player *player, size_t which,
                        struct dj_text *note, struct dj_error *err)
{
    const struct dj_gesture *gesture = &player->gestures.items[which];
    struct dj_gesture_place *place = &player->places[which];
    if (place->known || !dj_gesture_touches(gesture)) {
        return 0;
    }
    struct dj_screen screen = {0};
    struct dj_ui_tree tree = {0};
    int code;
    if (gesture->target == NULL) {
        code = dj_screen_read(player->device, &screen, err);
        *place = (struct dj_gesture_place){.known = code == 0, .area = screen.area};
    } else {
        bool held = player->injector != NULL && player->injector->holds_tree;
        if (held) {
            dj_player_close(player);
        }
        code = dj_screen_tree(player->device, &tree, err);
        code = code == 0 ? find_in_tree(gesture, &tree, place, err) : code;
        code = code == 0 ? dj_player_open(player, err) : code;
        dj_text_format(note, "%s was looked for within the run: that costs frames\n",
                       dj_selector_text(gesture->target));
    }
    dj_ui_tree_finish(&tree);
    return code;
}

void dj_places_forget(struct dj_gesture_player *player, size_t first)
{
    for (size_t i = first; i < player->gestures.count; i++) {
        player->places[i] = (struct dj_gesture_place){0};
    }
}
