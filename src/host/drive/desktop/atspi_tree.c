/* Reads the tree of views of the desktop from AT-SPI. */
#include "drive/desktop.h"

#include "base/array.h"
#include "drive/desktop/atspi_functions.h"

enum {
    /* Time limit for the answer of an application. An application that is slower is
     * skipped. */
    ANSWER_MS = 2000,
    START_MS = 5000
};

DJ_LIBRARY_DEFINE(dj_atspi, DJ_ATSPI_FUNCTIONS, "libatspi.so.0", "libatspi2.0-0",
                  "trees of views of this machine");

/* The views of the last tree, indexed by node. dj_desktop_activate() needs them. They are
 * global, because libatspi keeps its state per process and may only be used by one
 * thread. */
static struct {
    AtspiAccessible **of_node;
    size_t count;
} views;

struct walk {
    struct dj_ui_tree *tree;
    bool failed; /* True if memory ran out. */
};

int dj_desktop_load_tree(struct dj_error *err)
{
    return dj_device_library_load(&dj_atspi_library, err);
}

static void add_string(struct walk *walk, gchar *string, size_t *kept)
{
    if (string != NULL) {
        walk->failed |= !dj_ui_tree_add_string(walk->tree, string, strlen(string), kept);
        dj_atspi->g_free(string);
    }
}

static unsigned read_flags(AtspiAccessible *view, bool *showing)
{
    static const struct {
        AtspiStateType state;
        unsigned flag;
    } states[] = {
        {ATSPI_STATE_CHECKABLE, DJ_UI_CHECKABLE},
        {ATSPI_STATE_CHECKED, DJ_UI_CHECKED},
        {ATSPI_STATE_SENSITIVE, DJ_UI_ENABLED},
        {ATSPI_STATE_FOCUSABLE, DJ_UI_FOCUSABLE},
        {ATSPI_STATE_FOCUSED, DJ_UI_FOCUSED},
        {ATSPI_STATE_SELECTED, DJ_UI_SELECTED},
    };
    AtspiStateSet *set = dj_atspi->atspi_accessible_get_state_set(view);
    unsigned flags = 0;
    *showing = false;
    if (set == NULL) {
        return 0;
    }
    *showing = dj_atspi->atspi_state_set_contains(set, ATSPI_STATE_SHOWING);
    for (size_t i = 0; i < COUNT_OF(states); i++) {
        if (dj_atspi->atspi_state_set_contains(set, states[i].state)) {
            flags |= states[i].flag;
        }
    }
    dj_atspi->g_object_unref(set);
    return flags;
}

static bool has_action(AtspiAccessible *view)
{
    AtspiAction *action = dj_atspi->atspi_accessible_get_action_iface(view);
    if (action == NULL) {
        return false;
    }
    gint count = dj_atspi->atspi_action_get_n_actions(action, NULL);
    dj_atspi->g_object_unref(action);
    return count > 0;
}

static struct dj_ui_rect read_bounds(AtspiAccessible *view)
{
    GError *error = NULL;
    struct dj_ui_rect bounds = {0};
    AtspiComponent *component = dj_atspi->atspi_accessible_get_component_iface(view);
    if (component == NULL) {
        return bounds;
    }
    AtspiRect *rect =
        dj_atspi->atspi_component_get_extents(component, ATSPI_COORD_TYPE_SCREEN, &error);
    if (error == NULL && rect != NULL && rect->width > 0 && rect->height > 0) {
        bounds = (struct dj_ui_rect){rect->x, rect->y, rect->x + rect->width,
                                     rect->y + rect->height};
    }
    dj_atspi->g_free(rect);
    dj_atspi->g_object_unref(component);
    if (error != NULL) {
        dj_atspi->g_error_free(error);
    }
    return bounds;
}

static void read_view(struct walk *walk, AtspiAccessible *view, size_t number,
                      const char *application, AtspiRole role)
{
    size_t fields[DJ_UI_FIELDS] = {0};
    add_string(walk, dj_atspi->atspi_accessible_get_name(view, NULL),
               &fields[DJ_UI_TEXT]);
    add_string(walk, dj_atspi->atspi_accessible_get_description(view, NULL),
               &fields[DJ_UI_DESC]);
    add_string(walk, dj_atspi->atspi_accessible_get_accessible_id(view, NULL),
               &fields[DJ_UI_ID]);
    add_string(walk, dj_atspi->atspi_accessible_get_role_name(view, NULL),
               &fields[DJ_UI_CLASS]);
    walk->failed |= !dj_ui_tree_add_string(walk->tree, application, strlen(application),
                                           &fields[DJ_UI_PACKAGE]);
    struct dj_ui_node *node = &walk->tree->nodes[number];
    memcpy(node->field, fields, sizeof(fields));
    node->bounds = read_bounds(view);
    node->flags |= has_action(view) ? DJ_UI_CLICKABLE : 0;
    node->flags |= role == ATSPI_ROLE_SCROLL_PANE ? DJ_UI_SCROLLABLE : 0;
    node->flags |= role == ATSPI_ROLE_PASSWORD_TEXT ? DJ_UI_PASSWORD : 0;
}

static void walk_children(struct walk *walk, AtspiAccessible *parent, size_t number,
                          const char *application);

/* Adds the view and its children to the tree, and releases the view. If a view is not on
 * the screen, its children are not there either, so all of them are skipped. */
static void walk_view(struct walk *walk, AtspiAccessible *view, size_t parent,
                      const char *application)
{
    bool showing;
    AtspiRole role = dj_atspi->atspi_accessible_get_role(view, NULL);
    unsigned flags = read_flags(view, &showing);
    bool deep = walk->tree->nodes[parent].depth >= DJ_UI_DEPTH_MAX;
    if ((!showing && role != ATSPI_ROLE_APPLICATION) || deep || walk->failed ||
        !DJ_ARRAY_PUSH(views.of_node, views.count, view)) {
        dj_atspi->g_object_unref(view);
        return;
    }
    struct dj_ui_node *node = dj_ui_tree_add_node(walk->tree, parent);
    if (node == NULL) {
        walk->failed = true;
        return;
    }
    size_t number = walk->tree->count - 1;
    node->flags = flags;
    read_view(walk, view, number, application, role);
    walk_children(walk, view, number, application);
}

static void walk_children(struct walk *walk, AtspiAccessible *parent, size_t number,
                          const char *application)
{
    gint count = dj_atspi->atspi_accessible_get_child_count(parent, NULL);
    for (gint i = 0; i < count && !walk->failed; i++) {
        AtspiAccessible *child =
            dj_atspi->atspi_accessible_get_child_at_index(parent, i, NULL);
        if (child == NULL) {
            continue;
        }
        gchar *name =
            application == NULL ? dj_atspi->atspi_accessible_get_name(child, NULL) : NULL;
        const char *own = application != NULL ? application : name != NULL ? name : "";
        walk_view(walk, child, number, own);
        dj_atspi->g_free(name);
    }
}

static int open_desktop(AtspiAccessible **desktop, struct dj_error *err)
{
    /* Without the address of a bus and without an X server that knows the address,
     * libatspi would start a bus of its own, without any applications. */
    if (getenv("AT_SPI_BUS_ADDRESS") == NULL &&
        getenv("DBUS_SESSION_BUS_ADDRESS") == NULL) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "cannot read the tree of views: there is no D-Bus session "
                            "(dbus-run-session starts one)");
    }
    int code = dj_desktop_load_tree(err);
    if (code != 0) {
        return code;
    }
    dj_atspi->atspi_init();
    dj_atspi->atspi_set_timeout(ANSWER_MS, START_MS);
    *desktop = dj_atspi->atspi_get_desktop(0);
    if (*desktop == NULL) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "cannot read the tree of views: AT-SPI does not run in this "
                            "session (at-spi2-core)");
    }
    dj_atspi->atspi_accessible_clear_cache(*desktop);
    return 0;
}

int dj_desktop_read_tree(struct dj_ui_tree *tree, struct dj_error *err)
{
    struct walk walk = {.tree = tree};
    AtspiAccessible *desktop = NULL;
    int code = open_desktop(&desktop, err);
    if (code != 0) {
        return code;
    }
    for (; views.count > 0; views.count--) {
        if (views.of_node[views.count - 1] != NULL) {
            dj_atspi->g_object_unref(views.of_node[views.count - 1]);
        }
    }
    /* The root is no view, but both lists have an entry for it, so that their indexes are
     * equal. */
    walk.failed = dj_ui_tree_add_node(tree, 0) == NULL ||
                  !DJ_ARRAY_PUSH(views.of_node, views.count, NULL);
    if (!walk.failed) {
        walk_children(&walk, desktop, 0, NULL);
    }
    dj_atspi->g_object_unref(desktop);
    if (walk.failed) {
        return dj_error_set(
            err, DJ_E_NO_MEMORY,
            "out of memory for the tree of views, or it has too many views");
    }
    return tree->count > 1
               ? 0
               : dj_error_set(err, DJ_E_NO_DATA,
                              "no application provides its views through AT-SPI: it may "
                              "need GTK_A11Y or QT_LINUX_ACCESSIBILITY_ALWAYS_ON, and it "
                              "must be started in this session");
}

int dj_desktop_activate(size_t node, struct dj_error *err)
{
    GError *error = NULL;
    AtspiAction *action =
        node < views.count && views.of_node[node] != NULL
            ? dj_atspi->atspi_accessible_get_action_iface(views.of_node[node])
            : NULL;
    if (action == NULL) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "the view has no action that could replace a tap");
    }
    gboolean done = dj_atspi->atspi_action_do_action(action, 0, &error);
    dj_atspi->g_object_unref(action);
    if (done && error == NULL) {
        return 0;
    }
    int code =
        dj_error_set(err, DJ_E_PROTOCOL, "the action of the view failed: %.200s",
                     error != NULL ? error->message : "the application refused it");
    if (error != NULL) {
        dj_atspi->g_error_free(error);
    }
    return code;
}
