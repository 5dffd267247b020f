/* The fixed words of a dump outside its statistics blocks, which printer and reader
 * share (docs/format/gfxinfo.md). */
#ifndef DEJANK_GFXINFO_GRAMMAR_H
#define DEJANK_GFXINFO_GRAMMAR_H

#define DJ_SERVICE "Applications Graphics Acceleration Info:"
#define DJ_UPTIME "Uptime:"
#define DJ_REALTIME "Realtime:"
#define DJ_NOT_FOUND "No process found for:"
#define DJ_PROCESS "** Graphics info for pid"
#define DJ_PIPELINE "Pipeline="
/* Separates lines, as between two files that were joined. */
#define DJ_BYTE_ORDER_MARK "\xEF\xBB\xBF"
#define DJ_PROFILE "Profile data in ms:"
#define DJ_VISIBILITY " (visibility="
#define DJ_WINDOW "Window:"
#define DJ_MARKER "---PROFILEDATA---"
#define DJ_HIERARCHY "View hierarchy:"

/* Header of the simple dump. Android 4 has no Prepare column. */
#define DJ_PROFILE_HEADER_3 "\tDraw\tProcess\tExecute"
#define DJ_PROFILE_HEADER_4 "\tDraw\tPrepare\tProcess\tExecute"

/* Words of the lines that dejank adds. They are the last lines in the output for a
 * process. */
#define DJ_NOTE "Note:"
#define DJ_NOTE_INTERVAL "frame interval:"
#define DJ_NOTE_ASSUMED "(assumed)"
#define DJ_NOTE_NOT_RECORDED "not recorded:"
#define DJ_NOTE_DROPPED "frames were not recorded"
#define DJ_NOTE_KEPT "rows kept:"
#define DJ_NOTE_RECOVERED "recovered"
#define DJ_NOTE_RECORDED_AS "recorded as Android"
#define DJ_NOTE_COUNTED_AS ", counted anew as "
#define DJ_NOTE_STILL_KEPT " frames still kept of "
#define DJ_NOTE_STOPPED "recording stopped:"
#define DJ_NOTE_CUT_SHORT "collection stopped:"
#define DJ_NOTE_NO_VIEW_MEMORY "memory of views: not recorded"
#define DJ_NOTE_ENDED "process has ended"

#endif
