/* Chipmunk: circles and boxes fall on a slope, with a joint; positions after every half second. */
#include <stdio.h>
#include "chipmunk/chipmunk.h"

int main(void) {
  cpSpace *space = cpSpaceNew();
  cpSpaceSetGravity(space, cpv(0, -100));
  cpShape *ground = cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-50, 5), cpv(50, -5), 0);
  cpShapeSetFriction(ground, 1);
  cpSpaceAddShape(space, ground);
  cpBody *bodies[6];
  for (int i = 0; i < 6; i++) {
    bodies[i] = cpSpaceAddBody(space,
        cpBodyNew(1, i % 2 ? cpMomentForBox(1, 4, 3) : cpMomentForCircle(1, 0, 2, cpvzero)));
    cpBodySetPosition(bodies[i], cpv(i * 3 - 8, 20 + i * 5));
    cpShape *shape = cpSpaceAddShape(space, i % 2 ? cpBoxShapeNew(bodies[i], 4, 3, 0.1)
        : cpCircleShapeNew(bodies[i], 2, cpvzero));
    cpShapeSetFriction(shape, 0.7);
    cpShapeSetElasticity(shape, 0.2);
  }
  cpSpaceAddConstraint(space, cpPinJointNew(bodies[0], bodies[1], cpvzero, cpv(1, 0)));
  cpSpaceAddConstraint(space, cpDampedSpringNew(bodies[2], bodies[3], cpvzero, cpvzero, 6, 40, 1));
  for (int step = 1; step <= 120; step++) {
    cpSpaceStep(space, 1.0 / 60);
    if (step % 30 == 0) for (int i = 0; i < 6; i++) printf("%d %d: %.6f %.6f %.6f\n", step, i,
        cpBodyGetPosition(bodies[i]).x, cpBodyGetPosition(bodies[i]).y, cpBodyGetAngle(bodies[i]));
  }
  cpSegmentQueryInfo info;
  printf("%d\n", cpSpaceSegmentQueryFirst(space, cpv(0, 100), cpv(0, -100), 0.5, CP_SHAPE_FILTER_ALL, &info) != NULL);
  cpSpaceFree(space);
  return 0;
}
