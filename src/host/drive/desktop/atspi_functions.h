/* The functions of libatspi and glib that read the tree of views. The libraries are
 * loaded when a tree is first read. */
#ifndef DEJANK_DRIVE_DESKTOP_ATSPI_FUNCTIONS_H
#define DEJANK_DRIVE_DESKTOP_ATSPI_FUNCTIONS_H

#include <atspi/atspi.h>

#include "device/library.h"

#define DJ_ATSPI_FUNCTIONS(ROW)                                                          \
    ROW(atspi_init)                                                                      \
    ROW(atspi_set_timeout)                                                               \
    ROW(atspi_get_desktop)                                                               \
    ROW(atspi_accessible_get_child_count)                                                \
    ROW(atspi_accessible_get_child_at_index)                                             \
    ROW(atspi_accessible_get_name)                                                       \
    ROW(atspi_accessible_get_description)                                                \
    ROW(atspi_accessible_get_accessible_id)                                              \
    ROW(atspi_accessible_get_role)                                                       \
    ROW(atspi_accessible_get_role_name)                                                  \
    ROW(atspi_accessible_get_state_set)                                                  \
    ROW(atspi_accessible_get_component_iface)                                            \
    ROW(atspi_accessible_get_action_iface)                                               \
    ROW(atspi_accessible_clear_cache)                                                    \
    ROW(atspi_state_set_contains)                                                        \
    ROW(atspi_component_get_extents)                                                     \
    ROW(atspi_action_get_n_actions)                                                      \
    ROW(atspi_action_do_action)                                                          \
    ROW(g_object_unref)                                                                  \
    ROW(g_error_free)                                                                    \
    ROW(g_free)

/* The loaded functions. dj_desktop_load_tree() loads them. */
DJ_LIBRARY_DECLARE(dj_atspi, DJ_ATSPI_FUNCTIONS);

#endif
