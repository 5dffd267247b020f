/* Finds the places of gestures before the window opens. */
#include "drive/gesture/player.h"

bool dj_gesture_uses_touch(const struct dj_gesture *gesture)
{
    return gesture->kind <= DJ_GESTURE_SCROLL_TO;
}

/* Returns whether the gesture may bring other views to the screen. Views that appear by
 * scrolling do not count. */
static bool may_change_screen(const struct dj_gesture *gesture)
{
    static const bool changes[DJ_GESTURE_KINDS] = {
        [DJ_GESTURE_TAP] = true,    [DJ_GESTURE_LONG_TAP] = true,
        [DJ_GESTURE_KEY] = true,    [DJ_GESTURE_TEXT] = true,
        [DJ_GESTURE_ROTATE] = true, [DJ_GESTURE_WAIT_FOR] = true,
    };
    return changes[gesture->kind];
}

/* The screen size and the tree of views, which are read when they are first needed. */
struct view {
    bool has_tree, has_screen;
    struct dj_ui_tree tree;
    struct dj_screen screen;
};

static int find_in_tree(const struct dj_gesture *gesture, const struct dj_ui_tree *tree,
                        struct dj_gesture_place *place, struct dj_error *err)
{
    int code = dj_drive_selector_find(gesture->target, tree, &place->node, err);
    if (code != 0) {
        return code;
    }
    place->area = dj_drive_node_visible_area(tree, place->node);
    if (dj_drive_rect_width(&place->area) < 1 || dj_drive_rect_height(&place->area) < 1) {
        return dj_error_set(err, DJ_E_NOT_FOUND, "the view %s exists but is not visible",
                            dj_drive_selector_text(gesture->target));
    }
    place->known = true;
    return 0;
}

/* Finds the place of one gesture, if the gesture needs a place and this place is
 * unknown. */
static int find_place(struct dj_gesture_player *player, size_t which, struct view *view,
                      struct dj_error *err)
{
    const struct dj_gesture *gesture = &player->gestures.items[which];
    struct dj_gesture_place *place = &player->places[which];
    int code = 0;
    if (!dj_gesture_uses_touch(gesture) || place->known) {
        return 0;
    }
    if (gesture->target != NULL) {
        code = view->has_tree ? 0 : dj_drive_read_tree(player->device, &view->tree, err);
        view->has_tree = code == 0;
        return code == 0 ? find_in_tree(gesture, &view->tree, place, err) : code;
    }
    code = view->has_screen ? 0 : dj_screen_read(player->device, &view->screen, err);
    view->has_screen = code == 0;
    *place = (struct dj_gesture_place){.known = code == 0, .area = view->screen.area};
    return code;
}

/* Finds the places of the gestures. After the first gesture that may change the screen, a
 * missing view is no error, because the view may appear during the run. */
int dj_player_find_places(struct dj_gesture_player *player, struct dj_error *err)
{
    const struct dj_gesture_list *gestures = &player->gestures;
    struct view view = {0};
    bool changed = false;
    int code = 0;
    /* Stop at a rotation, because all places change with it. */
    for (size_t i = 0;
         code == 0 && i < gestures->count && gestures->items[i].kind != DJ_GESTURE_ROTATE;
         i++) {
        code = find_place(player, i, &view, err);
        code = code == DJ_E_NOT_FOUND && changed ? 0 : code;
        changed = changed || may_change_screen(&gestures->items[i]);
    }
    dj_drive_tree_finish(&view.tree);
    return code;
}

int dj_player_find_place_now(struct dj_gesture_player *player, size_t which,
                             struct dj_text *note, struct dj_error *err)
{
    const struct dj_gesture *gesture = &player->gestures.items[which];
    struct view view = {0};
    if (player->places[which].known || !dj_gesture_uses_touch(gesture)) {
        return 0;
    }
    if (gesture->target == NULL) {
        return find_place(player, which, &view, err);
    }
    if (player->injector != NULL && player->injector->holds_tree) {
        dj_player_close(player);
    }
    int code = find_place(player, which, &view, err);
    code = code == 0 ? dj_player_open(player, err) : code;
    dj_text_format(note, "%s was searched for during the run, which costs frames\n",
                   dj_drive_selector_text(gesture->target));
    dj_drive_tree_finish(&view.tree);
    return code;
}

void dj_player_forget_places(struct dj_gesture_player *player, size_t first)
{
    for (size_t i = first; i < player->gestures.count; i++) {
        player->places[i] = (struct dj_gesture_place){0};
    }
}
