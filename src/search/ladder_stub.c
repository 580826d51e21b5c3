#include "search/optimum.h"
bool mgl_ladder_handles(const mgl_problem *p){(void)p;return false;}
mgl_status mgl_ladder_optimum(const mgl_problem *p, mgl_error *e, mgl_optimum *o){return mgl_sweep_optimum(p,e,o);}
mgl_status mgl_ladder_holding(const mgl_problem *p, mgl_error *e, uint8_t *h, uint64_t *c){return mgl_sweep_holding(p,e,h,c);}
