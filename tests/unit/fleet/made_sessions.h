/* Sessions for the tests of module fleet. */
#ifndef DEJANK_TESTS_FLEET_MADE_SESSIONS_H
#define DEJANK_TESTS_FLEET_MADE_SESSIONS_H

#include "fleet/session.h"

/* 2026-03-31 08:00 UTC. */
enum { MADE_START_S = 1774944000 };

/* Fills all members of a valid session, with values that depend on `seed`. */
void made_session(struct dj_session *session, unsigned seed);

#endif
