/* The functions of GLib, GDK and GTK that the hooks call. They are looked up in the
 * libraries that the app has loaded, so the build needs no headers and does not link
 * to GTK. A function has the same signature in GTK 3 and GTK 4 unless a comment says
 * otherwise. */
#ifndef DEJANK_HOOKS_GTK_API_H
#define DEJANK_HOOKS_GTK_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Types of GObject, as the ABI passes them. */
struct dj_gtk_value; /* Same layout as GValue. */
struct dj_gtk_list { /* Same layout as GList. */
    void *data;
    struct dj_gtk_list *next, *previous;
};
struct dj_gtk_signal { /* Same layout as GSignalQuery. */
    unsigned id;
    const char *name;
    size_t type;
    unsigned flags;
    size_t return_type;
    unsigned parameters;
    const size_t *parameter_types;
};
/* GSignalEmissionHook. Must return 1 to stay connected. `values` contains the instance
 * and the parameters of the signal. */
typedef int dj_gtk_hook(void *hint, unsigned count, const struct dj_gtk_value *values,
                        void *data);
typedef void dj_gtk_visit(void *widget, void *data); /* Same type as GtkCallback. */

/* Functions that are looked up together with the frame clock. If one is missing, GTK
 * is not hooked. X(result, name, arguments) */
#define DJ_GTK_CLOCK_MAP(X)                                                              \
    X(void *, g_type_class_ref, (size_t type))                                           \
    X(void *, g_type_class_peek, (size_t type))                                          \
    X(size_t, g_type_from_name, (const char *name))                                      \
    X(const char *, g_type_name, (size_t type))                                          \
    X(int, g_type_check_instance_is_a, (void *instance, size_t type))                    \
    X(unsigned, g_signal_lookup, (const char *name, size_t type))                        \
    X(void, g_signal_query, (unsigned id, struct dj_gtk_signal *signal))                 \
    X(unsigned long, g_signal_add_emission_hook,                                         \
      (unsigned id, uint32_t detail, dj_gtk_hook *hook, void *data, void *destroy))      \
    X(void *, g_value_peek_pointer, (const struct dj_gtk_value *value))                  \
    X(int, g_main_depth, (void))                                                         \
    X(void, g_list_free, (struct dj_gtk_list * list))                                    \
    X(int64_t, gdk_frame_clock_get_frame_time, (void *clock))                            \
    X(int64_t, gdk_frame_clock_get_frame_counter, (void *clock))                         \
    X(void *, gdk_frame_clock_get_timings, (void *clock, int64_t counter))               \
    X(int, gdk_frame_timings_get_complete, (void *timings))                              \
    X(int64_t, gdk_frame_timings_get_presentation_time, (void *timings))                 \
    X(int64_t, gdk_frame_timings_get_refresh_interval, (void *timings))                  \
    X(uint32_t, gdk_event_get_time, (const void *event))                                 \
    X(int, gdk_event_get_event_type, (const void *event))

/* Functions that are looked up after the first frame. If one is missing, windows have
 * no titles. */
#define DJ_GTK_WINDOW_MAP(X)                                                             \
    X(struct dj_gtk_list *, gtk_window_list_toplevels, (void))                           \
    X(const char *, gtk_window_get_title, (void *window))                                \
    X(void *, gtk_widget_get_frame_clock, (void *widget))                                \
    X(int, gtk_widget_get_mapped, (void *widget))

/* Functions that return the children of a widget, in GTK 4 or in GTK 3. A missing
 * function is NULL. */
#define DJ_GTK_CHILDREN_MAP(X)                                                           \
    X(void *, gtk_widget_get_first_child, (void *widget))                                \
    X(void *, gtk_widget_get_next_sibling, (void *widget))                               \
    X(void *, gtk_widget_get_parent, (void *widget))                                     \
    X(void, gtk_container_forall, (void *container, dj_gtk_visit *visit, void *data))

struct dj_gtk {
#define DJ_GTK_MEMBER(result, name, arguments) result(*name) arguments;
    DJ_GTK_CLOCK_MAP(DJ_GTK_MEMBER)
    DJ_GTK_WINDOW_MAP(DJ_GTK_MEMBER)
    DJ_GTK_CHILDREN_MAP(DJ_GTK_MEMBER)
#undef DJ_GTK_MEMBER
};

extern struct dj_gtk dj_gtk;

/* Looks up the functions of DJ_GTK_CLOCK_MAP in the library that contains the address
 * `caller`. Returns false if one is missing. */
bool dj_gtk_load_clock_functions(const void *caller);

/* Looks up the functions for windows and widgets in the loaded GTK. Returns false if
 * one of DJ_GTK_WINDOW_MAP is missing. */
bool dj_gtk_load_window_functions(void);

/* Makes GObject call `hook` with `data` at every emission of the type's signal.
 * Returns false if the signal does not exist or supports no hooks, or if there was no
 * instance of the type yet. Never makes GLib print a warning. */
bool dj_gtk_hook_signal(size_t type, const char *signal, dj_gtk_hook *hook, void *data);

#endif
