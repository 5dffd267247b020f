/*
 * The functions of libatspi and glib that the tree of views is made with. They are loaded
 * when first used: with them come D-Bus and glib, which nobody else here needs, and which
 * every start of dejank would have to wait for.
 */
#ifndef DEJANK_DRIVE_ATSPI_CALLS_H
#define DEJANK_DRIVE_ATSPI_CALLS_H

#ifdef DEJANK_ATSPI

#include <atspi/atspi.h>

#include "base/error.h"

#define DJ_ATSPI_CALLS(CALL)                                                             \
    CALL(atspi_init)                                                                     \
    CALL(atspi_set_timeout)                                                              \
    CALL(atspi_get_desktop)                                                              \
    CALL(atspi_accessible_get_child_count)                                               \
    CALL(atspi_accessible_get_child_at_index)                                            \
    CALL(atspi_accessible_get_name)                                                      \
    CALL(atspi_accessible_get_description)                                               \
    CALL(atspi_accessible_get_accessible_id)                                             \
    CALL(atspi_accessible_get_role)                                                      \
    CALL(atspi_accessible_get_role_name)                                                 \
    CALL(atspi_accessible_get_state_set)                                                 \
    CALL(atspi_accessible_get_component_iface)                                           \
    CALL(atspi_accessible_get_action_iface)                                              \
    CALL(atspi_accessible_clear_cache)                                                   \
    CALL(atspi_state_set_contains)                                                       \
    CALL(atspi_component_get_extents)                                                    \
    CALL(atspi_action_get_n_actions)                                                     \
    CALL(atspi_action_do_action)                                                         \
    CALL(g_object_unref)                                                                 \
    CALL(g_error_free)                                                                   \
    CALL(g_free)

/* Each as a pointer of its own name. */
struct dj_atspi_calls {
#define DJ_MEMBER(NAME) __typeof__(&NAME) NAME;
    DJ_ATSPI_CALLS(DJ_MEMBER)
#undef DJ_MEMBER
};

/* Loads them; DJ_E_UNSUPPORTED where libatspi is not installed. *calls lives for ever. */
int dj_atspi_load(const struct dj_atspi_calls **calls, struct dj_error *err);

#endif

#endif
