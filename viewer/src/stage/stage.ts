/** The stage: where a recorded motion is drawn, one sample at a time. */
import { PlanarStage } from './planar_stage';
import { SpatialStage } from './spatial_stage';
import './stage.css';
import type { Picture, Stage } from './types';

export * from './types';

/** In the plane or in space, as the drawing says. Throws an Error with a sentence for the user where WebGL is missing. */
export function makeStage(pictures: Picture[]): Stage {
  return pictures[0].drawing.space === 'space' ? new SpatialStage(pictures) : new PlanarStage(pictures);
}
